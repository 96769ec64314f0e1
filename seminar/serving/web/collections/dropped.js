/** Files that were dropped or chosen, with their paths within the folder that was dropped. */

/** @typedef {{path: string, file: File}} Item */

/** @param {FileList} list @returns {Item[]} */
export function chosenFiles(list) {
  return Array.from(list, (file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** The files of a drop, those in folders included. @returns {Promise<Item[]>} */
export async function droppedFiles(transfer) {
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return chosenFiles(transfer.files);
  const items = [];
  const waiting = [...entries];
  while (waiting.length) {
    const entry = waiting.shift();
    if (entry.isFile) items.push({ path: entry.fullPath.replace(/^\//, ""), file: await fileOf(entry) });
    else waiting.push(...(await entriesOf(entry)));
  }
  return items;
}

const fileOf = (entry) => new Promise((resolve, reject) => entry.file(resolve, reject));

/** The entries of a folder, which browsers give by the hundred. */
async function entriesOf(folder) {
  const reader = folder.createReader();
  const all = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return all;
    all.push(...some);
  }
}
