/** A small browser over the corpus: one page with live links, back and forward, and visited pages. */
import { html, useMemo } from "../../lib.js";
import { shown } from "../../text.js";
import { IconButton } from "../../parts/icon.js";
import { Menu } from "../../parts/menu.js";
import { Problem, Waiting } from "../../parts/problem.js";
import { ReadingText } from "../reading/text.js";
import { strings } from "../strings.js";
import { useActing, usePage } from "./acting.js";

/**
 * @param {{view: any, span: any, select: any, take?: () => void, kept?: any[], cited?: any[]}} properties
 *   spans are of the page that is shown
 */
export function Browser({ view, span, select, take, kept = [], cited = [] }) {
  const t = strings.browser;
  const { act, may } = useActing();
  const { page, error, load } = usePage(view.page);
  const own = (spans) => spans.filter((one) => one.page === page?.id);
  const inCorpus = useMemo(() => page?.links.filter((link) => link.target) ?? [], [page]);
  const shownSpan = span && span.page === page?.id ? span : null;
  return html`<div class="browser">
    <div class="browser-bar" role="toolbar" aria-label=${t.label}>
      <${IconButton} icon="next" class="icon-button flipped" label=${t.back} disabled=${!view.can_go_back || !may("back")} onClick=${() => act({ kind: "back" })} />
      <${IconButton} icon="next" label=${t.forward} disabled=${!view.can_go_forward || !may("forward")} onClick=${() => act({ kind: "forward" })} />
      <h3 class="browser-title clip"><bdi>${page ? shown(page.title) : strings.browser.loading}</bdi></h3>
      <${Menu} label=${t.visited} icon="folder" text=${t.visited} items=${view.visited.map((one) => ({
        label: shown(one.title), checked: one.page === view.page, act: () => one.page !== view.page && act({ kind: "open", page: one.page }),
      }))} />
    </div>
    <${Problem} error=${error} retry=${load} />
    ${!page && !error && html`<${Waiting} lines=${8} />`}
    ${page && html`<${ReadingText} key=${page.id} label=${t.page(page.title)} text=${page.text} sections=${page.sections} links=${inCorpus}
      span=${shownSpan} kept=${own(kept)} cited=${own(cited)} hint="select-hint" take=${take}
      select=${select && ((next) => select(next && { ...next, page: page.id, text: words(page.text, next) }))}
      follow=${may("open") ? (target) => act({ kind: "open", page: target }) : null} />`}
    <p class="quiet browser-hint" id="select-hint">${strings.reading.hint} <span class="keys-hint">${strings.reading.keys}</span></p>
  </div>`;
}

const words = (text, { start, end }) => Array.from(text).slice(start, end).join("");
