/** A reply: the literal answer first, what it rests on, and apart from it what else may help. */
import { html } from "../lib.js";
import { strings } from "../strings.js";
import { length, shown } from "../text.js";
import { Words } from "../parts/words.js";
import { ProseAnswer } from "./prose.js";
import { Citation, Quotation, addsToWords } from "./quotation.js";

const HEADLINE = 160; // longer answers are set as text
const SAID_FIRST = /^(yes|no)\.\s+/i;

export function Answer({ reply, open }) {
  if (reply.meta && reply.prose?.segments.length) return html`<${Written} reply=${reply} open=${open} />`;
  if (reply.meta) return html`<${MetaAnswer} reply=${reply} open=${open} />`;
  if (!reply.answerable) return html`<${Refusal} reply=${reply} open=${open} />`;
  return html`<div class="answer">
    <${TopicNote} reply=${reply} />
    <${ProseAnswer} prose=${reply.prose} open=${open} />
    <${Headline} reply=${reply} />
    <${Evidence} reply=${reply} open=${open} />
    <${Alternatives} reply=${reply} open=${open} />
    <${Extras} reply=${reply} open=${open} />
    <${Notes} notes=${reply.notes} />
  </div>`;
}

function Headline({ reply }) {
  const t = strings.conversation;
  const judged = reply.affirmation === "yes" || reply.affirmation === "no";
  const text = judged ? reply.text.replace(SAID_FIRST, "") : reply.text;
  return html`<div class="headline" dir="auto">
    ${judged && html`<span class=${`verdict ${reply.affirmation}`}>${t[reply.affirmation]}</span>`}
    <p class=${length(text) > HEADLINE ? "answer-text long" : "answer-text"} dir="auto">${shown(text)}</p>
  </div>`;
}

/** The sentences of the literal answer; one place after each group of the same place. */
function Evidence({ reply, open }) {
  return reply.literal.map(
    (span, index) => html`<div class="evidence" key=${index}>
      ${addsToWords(span, reply.text) && html`<${Quotation} span=${span} open=${open} />`}
      <${Citation} span=${span} open=${open} hotkey=${index ? undefined : "o"} />
    </div>`,
  );
}

/** Further answers side by side, each with the reading of the question that it answers. */
function Alternatives({ reply, open }) {
  const t = strings.conversation;
  if (!reply.alternatives.length) return null;
  return html`<section class="alternatives">
    <h3>${t.alternatives}</h3>
    <ul>
      ${reply.alternatives.map(
        (item) => html`<li class="alternative">
          ${item.reading && html`<p class="reading"><span class="quiet">${t.reading}</span> <${Words} text=${item.reading} /></p>`}
          <p class="alternative-text" dir="auto">${shown(item.text)}</p>
          ${addsToWords(item.span, item.text) && html`<${Quotation} span=${item.span} open=${open} />`}
          <${Citation} span=${item.span} open=${open} />
        </li>`,
      )}
    </ul>
  </section>`;
}

/** What was not asked for but may help. */
function Extras({ reply, open }) {
  const t = strings.conversation;
  const told = reply.prose?.segments.some((segment) => segment.role); // among the sentences
  if (!reply.pragmatic.length || told) return null;
  return html`<section class="extras">
    <h3>${t.extras}</h3>
    ${reply.pragmatic.map(
      (span) => html`<div class="extra">
        <span class="role">${t.roles[span.role] ?? ""}</span>
        <p dir="auto">${shown(span.text)}</p>
        <${Citation} span=${span} open=${open} />
      </div>`,
    )}
  </section>`;
}

function Refusal({ reply, open }) {
  const t = strings.conversation;
  const near = reply.nearest;
  return html`<div class="answer refusal">
    <div class="headline"><span class="verdict none">${t.refusal}</span><p class="answer-text">${shown(reply.text)}</p></div>
    ${near
      ? html`<div class="nearest">
          <p class="quiet">${t.nearest}</p>
          <blockquote class="quotation plain" dir="auto">${shown(`${near.before ?? ""}${near.text}${near.after ?? ""}`)}</blockquote>
          <${Citation} span=${near} open=${open} hotkey="o" />
        </div>`
      : html`<p class="quiet">${t.nothingNear}</p>`}
    <${Notes} notes=${reply.notes} />
  </div>`;
}

/** A summary or a comparison: prose alone, whose citations are the quotations. */
function Written({ reply, open }) {
  return html`<div class="answer">
    <${ProseAnswer} prose=${reply.prose} open=${open} />
    <${Notes} notes=${reply.notes} />
  </div>`;
}

/** A reply about the conversation itself: its own words, what it quotes with the places. */
function MetaAnswer({ reply, open }) {
  const [first, ...others] = reply.text.split("\n");
  const listed = reply.literal.length === 0 && others.length > 0;
  return html`<div class="answer meta">
    <p class="answer-text long" dir="auto">${shown(first)}</p>
    ${listed && html`<ul class="meta-list">${others.filter((line) => line.trim()).map((line) => html`<li><${Words} text=${line.trim().replace(/^- /, "")} /></li>`)}</ul>`}
    <${Evidence} reply=${{ ...reply, text: first }} open=${open} />
    <${Notes} notes=${reply.notes} />
  </div>`;
}

function TopicNote({ reply }) {
  const t = strings.conversation;
  const note = { "switch-to-new": t.newTopic, "switch-to-old": t.oldTopic }[reply.switch];
  return note && reply.topic ? html`<p class="topic-note"><bdi>${note(shown(reply.topic))}</bdi></p>` : null;
}

function Notes({ notes }) {
  if (!notes.length) return null;
  return html`<ul class="notes" aria-label=${strings.conversation.notes}>${notes.map((note) => html`<li><${Words} text=${note} /></li>`)}</ul>`;
}
