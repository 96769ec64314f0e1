/** The topics of a conversation, in order, with the returns; each leads to its turn. */
import { html } from "../lib.js";
import { strings } from "../strings.js";
import { shorten } from "../text.js";
import { Icon } from "../parts/icon.js";

/** The turns at which the topic changed. */
export function switchesOf(turns) {
  const switches = [];
  for (const { number, reply } of turns) {
    if (!reply.topic || reply.topic === switches.at(-1)?.topic) continue;
    switches.push({ number, topic: reply.topic, back: switches.some((one) => one.topic === reply.topic) });
  }
  return switches;
}

export function Trail({ turns, go }) {
  const t = strings.conversation;
  const switches = switchesOf(turns);
  if (switches.length < 2) return null;
  return html`<nav class="trail" aria-label=${t.topics} tabindex="0">
    <ol>
      ${switches.map(
        (one, index) => html`<li>
          ${index > 0 && html`<${Icon} name=${one.back ? "back" : "next"} />`}
          <button type="button" class="trail-topic" title=${(one.back ? t.oldTopic : t.newTopic)(shorten(one.topic, 80))}
            aria-current=${index === switches.length - 1 ? "true" : undefined} onClick=${() => go(one.number)}><bdi>${shorten(one.topic, 32)}</bdi></button>
        </li>`,
      )}
    </ol>
  </nav>`;
}
