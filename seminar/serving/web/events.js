/** Server-sent events read from a response, also of a POST. */

/**
 * The events of a response as they come.
 * @param {Response} response
 * @returns {AsyncGenerator<{name: string, record: any}>}
 */
export async function* eventsOf(response) {
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let buffer = "";
  let ended = false;
  try {
    while (!ended) {
      const { value, done } = await reader.read();
      ended = done;
      buffer += decoder.decode(value, { stream: !done }).replaceAll("\r\n", "\n");
      const blocks = buffer.split("\n\n");
      buffer = blocks.pop();
      for (const block of blocks) {
        const event = parse(block);
        if (event) yield event;
      }
    }
  } finally {
    if (!ended) reader.cancel().catch(() => {}); // whoever reads has had enough
  }
}

/** The event of a block, or null for a comment. */
function parse(block) {
  let name = "message";
  const data = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  return data.length ? { name, record: JSON.parse(data.join("\n")) } : null;
}
