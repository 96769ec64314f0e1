/** The blocks of a source: paragraphs below their sections and pages, or messages of a thread. */
import { html } from "../lib.js";
import { strings } from "../strings.js";
import { shown, when } from "../text.js";
import { Words } from "../parts/words.js";
import { partsOf } from "./marking.js";

export function Blocks({ blocks, span }) {
  return blocks.map((block, index) => {
    const previous = blocks[index - 1];
    const { section, page } = block;
    return html`<div class=${block.speaker ? "block message" : "block"} key=${`${block.key ?? ""}:${block.start}`}>
      ${page && page !== previous?.page && html`<p class="page-number">${strings.source.page(page)}</p>`}
      ${section && !block.speaker && section !== previous?.section && html`<h3 class="block-section"><${Words} text=${section.replaceAll(" > ", " › ")} /></h3>`}
      ${block.speaker && html`<p class="message-head"><strong><${Words} text=${block.speaker} /></strong>
        ${block.time && html`<time class="quiet" datetime=${block.time}>${when(block.time)}</time>`}</p>`}
      <${BlockText} block=${block} index=${index} span=${span} />
    </div>`;
  });
}

function BlockText({ block, index, span }) {
  const parts = partsOf(block, span);
  return html`${parts.hiddenBefore > 0 && html`<p class="quiet">${strings.truncated(parts.hiddenBefore)}</p>`}
    <p class="block-text" dir="auto" data-block=${index} data-hidden=${parts.hiddenBefore}>${shown(parts.before)}${parts.words && html`<mark>${shown(parts.words)}</mark>`}${shown(parts.after)}</p>
    ${parts.hiddenAfter > 0 && html`<p class="quiet">${strings.truncated(parts.hiddenAfter)}</p>`}`;
}
