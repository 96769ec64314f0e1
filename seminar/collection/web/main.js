/** The pages of a study: those of a worker, and the admin's. */
import { html, render } from "../lib.js";
import { strings } from "./strings.js";
import { AdminPage } from "./admin/page.js";
import { StudyPage } from "./pages/study.js";

const PAGES = { "/": StudyPage, "/admin": AdminPage };

function App() {
  const page = PAGES[location.pathname];
  if (!page) return html`<main class="outside"><div class="outside-card"><h1>${strings.notFound}</h1><p><a href="/">${strings.toStudy}</a></p></div></main>`;
  return html`<${page} />`;
}

const place = document.getElementById("app");
place.replaceChildren();
render(html`<${App} />`, place);
