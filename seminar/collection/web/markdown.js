/** The texts of a study: Markdown's headings, lists, paragraphs, emphasis and links, never HTML. */
import { html } from "../lib.js";
import { shown } from "../text.js";

const INLINE = /(\*\*[^*]+\*\*|\*[^*\s][^*]*\*|`[^`]+`|\[[^\]]+\]\(https?:\/\/[^\s)]+\))/;

/** @param {{text: string}} properties */
export function Markdown({ text }) {
  const blocks = String(text ?? "").replaceAll("\r\n", "\n").split(/\n\s*\n/).filter((block) => block.trim());
  return html`<div class="prose">${blocks.map((block) => html`<${Block} text=${block} />`)}</div>`;
}

const BULLET = /^\s*[-*] /;
const NUMBER = /^\s*\d+[.)] /;

function Block({ text }) {
  const lines = text.split("\n").filter((line) => line.trim());
  const heading = /^#{1,6} (.*)$/.exec(lines[0]);
  if (heading) {
    const rest = lines.slice(1).join("\n");
    return html`<h3>${inline(heading[1])}</h3>${rest && html`<${Block} text=${rest} />`}`;
  }
  const first = lines.findIndex((line) => BULLET.test(line) || NUMBER.test(line));
  if (first < 0) return html`<p>${inline(lines.join(" "))}</p>`;
  const list = NUMBER.test(lines[first]) ? "ol" : "ul";
  return html`${first > 0 && html`<p>${inline(lines.slice(0, first).join(" "))}</p>`}
    <${list}>${items(lines.slice(first)).map((item) => html`<li>${inline(item)}</li>`)}<//>`;
}

/** The items of a list; a line without a mark continues the one before. */
function items(lines) {
  const found = [];
  for (const line of lines) {
    if (BULLET.test(line) || NUMBER.test(line)) found.push(line.replace(BULLET, "").replace(NUMBER, ""));
    else found.push(`${found.pop()} ${line.trim()}`);
  }
  return found;
}

function inline(text) {
  return text.split(INLINE).map((part) => {
    if (/^\*\*.+\*\*$/.test(part)) return html`<strong>${shown(part.slice(2, -2))}</strong>`;
    if (/^\*.+\*$/.test(part)) return html`<em>${shown(part.slice(1, -1))}</em>`;
    if (/^`.+`$/.test(part)) return html`<code>${shown(part.slice(1, -1))}</code>`;
    const link = /^\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)$/.exec(part);
    if (link) return html`<a href=${link[2]} target="_blank" rel="noopener noreferrer">${shown(link[1])}</a>`;
    return shown(part);
  });
}
