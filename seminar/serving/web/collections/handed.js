/** Files that were dropped before their collection had a page: its page takes them from here. */
const handed = new Map();

export function handOver(collection, items) {
  handed.set(collection, items);
}

export function takeHanded(collection) {
  const items = handed.get(collection) ?? [];
  handed.delete(collection);
  return items;
}
