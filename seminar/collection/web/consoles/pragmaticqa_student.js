/** PragmatiCQA's student: questions, and ratings of the reply before while the teacher works. */
import { html } from "../../lib.js";
import { shown } from "../../text.js";
import { Words } from "../../parts/words.js";
import { useDraft } from "../live.js";
import { Scale } from "../parts.js";
import { strings } from "../strings.js";
import { useActing } from "./acting.js";
import { Console } from "./console.js";
import { AskForm } from "./quac_student.js";
import { Transcript } from "./transcript.js";

export const RATINGS = ["natural", "literal", "next_questions", "leads", "faithful"];

export function PragmaticStudent({ view }) {
  const t = strings.pragmaticqa;
  const work = view.rating
    ? html`<${RatingForm} key=${view.rating.turn} view=${view} rating=${view.rating} />`
    : html`<h3>${t.learning(shown(view.topic))}</h3><p>${t.studentText}</p>`;
  const transcript = html`<${Transcript} turns=${view.turns} asker="student" answerer="teacher" own="student"
    answer=${(turn) => html`<${Words} text=${turn.answer} />`} empty=${t.firstQuestion} />`;
  return html`<${Console} asks view=${view} title=${view.topic} progress=${t.rounds(view.rounds, view.minimum)}
    work=${work} transcript=${transcript} form=${html`<${AskForm} view=${view} />`} />`;
}

/** Five ratings; only now are the spans behind the reply shown. */
function RatingForm({ view, rating }) {
  const t = strings.pragmaticqa;
  const { busy, may, act } = useActing();
  const [values, setValues] = useDraft(`${view.frame.dialog}:${rating.turn}:rating`, {});
  const complete = RATINGS.every((name) => values[name]);
  const submit = (event) => {
    event.preventDefault();
    if (complete && !busy) act({ kind: "rate", turn: rating.turn, ...Object.fromEntries(RATINGS.map((name) => [name, values[name]])) });
  };
  return html`<form class="rating-form" onSubmit=${submit} aria-labelledby="rating-title">
    <h3 id="rating-title">${t.rate}</h3>
    <p class="quiet">${t.rateText}</p>
    <dl class="rated">
      <div><dt>${t.rated.question}</dt><dd><${Words} text=${rating.question} /></dd></div>
      <div><dt>${t.rated.answer}</dt><dd><${Words} text=${rating.answer} /></dd></div>
      <div><dt>${t.rated.literal}</dt><dd><${Quotations} texts=${rating.literal} answer=${rating.literal_answer} /></dd></div>
      <div><dt>${t.rated.pragmatic}</dt><dd><${Quotations} texts=${rating.pragmatic} answer=${null} /></dd></div>
    </dl>
    ${RATINGS.map((name) => html`<${Scale} key=${name} name=${name} legend=${t.ratings[name]} ends=${t.ends} value=${values[name]}
      choose=${(value) => setValues({ ...values, [name]: value })} />`)}
    <div class="form-actions"><button class="button" disabled=${!complete || busy || !may("rate")}>${t.sendRating}</button></div>
  </form>`;
}

/** Words of pages, or an answer in their place. */
export function Quotations({ texts, answer }) {
  if (answer) return html`<span class="verdict none">${strings.pragmaticqa.literalAnswers[answer]}</span>`;
  if (!texts.length) return html`<span class="quiet">${strings.pragmaticqa.noSpans}</span>`;
  return html`<ul class="quotations">${texts.map((text) => html`<li><${Words} class="quoted" text=${text} /></li>`)}</ul>`;
}
