/** Controls that several pages of a study share. */
import { html } from "../lib.js";
import { shown } from "../text.js";

/**
 * Choices of which one is taken, drawn as buttons in a row.
 * @param {{name: string, legend: string, options: {value: any, label: string}[], value: any,
 *   choose: (value: any) => void, disabled?: boolean, hidden?: boolean, row?: boolean}} properties
 */
export function Choices({ name, legend, options, value, choose, disabled = false, hidden = false, row = true }) {
  return html`<fieldset class=${row ? "choices row-choices" : "choices"} disabled=${disabled}>
    <legend class=${hidden ? "visually-hidden" : "label"}>${legend}</legend>
    <div class="choice-set">${options.map((option) => html`<label class="choice-button">
      <input type="radio" name=${name} checked=${option.value === value} onChange=${() => choose(option.value)} />
      <span>${shown(option.label)}</span>
    </label>`)}</div>
  </fieldset>`;
}

/** A scale of five steps between two words. */
export function Scale({ name, legend, ends, value, choose }) {
  return html`<fieldset class="scale">
    <legend>${legend}</legend>
    <div class="scale-steps">
      <span class="scale-end" aria-hidden="true">${ends[0]}</span>
      ${[1, 2, 3, 4, 5].map((step) => html`<label class="scale-step">
        <input type="radio" name=${name} checked=${value === step} onChange=${() => choose(step)}
          aria-label=${step === 1 ? `1, ${ends[0]}` : step === 5 ? `5, ${ends[1]}` : String(step)} /><span aria-hidden="true">${step}</span>
      </label>`)}
      <span class="scale-end" aria-hidden="true">${ends[1]}</span>
    </div>
  </fieldset>`;
}
