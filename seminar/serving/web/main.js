/** The application: session → frame → page of the address. */
import { html, render, useEffect, useState } from "./lib.js";
import { strings } from "./strings.js";
import { useRoute } from "./router.js";
import { SessionContext, useLoadedSession } from "./session.js";
import { useKeys } from "./keyboard.js";
import { Problem, Waiting } from "./parts/problem.js";
import { Help } from "./parts/help.js";
import { Frame } from "./frame.js";
import { CollectionsPage } from "./pages/collections.js";
import { CollectionPage } from "./pages/collection.js";
import { AskPage } from "./pages/ask.js";
import { DialoguePage } from "./pages/dialogue.js";
import { LoginPage } from "./pages/login.js";
import { InvitationPage } from "./pages/invitation.js";
import { LinkPage } from "./pages/link.js";
import { TokensPage } from "./pages/tokens.js";
import { AdminPage } from "./pages/admin.js";
import { Missing } from "./pages/missing.js";

const PAGES = {
  collections: ({ id }) => (id ? html`<${CollectionPage} key=${id} id=${id} />` : html`<${CollectionsPage} />`),
  ask: ({ id }) => html`<${AskPage} key=${id} id=${id} />`,
  dialogues: ({ id, hash }) => html`<${DialoguePage} key=${id} id=${id} hash=${hash} />`,
  tokens: () => html`<${TokensPage} />`,
  admin: () => html`<${AdminPage} />`,
  missing: () => html`<${Missing} />`,
};

/** Pages for people who are not logged in. */
const OUTSIDE = {
  login: () => html`<${LoginPage} />`,
  invitation: ({ id }) => html`<${InvitationPage} secret=${id} />`,
  link: ({ id }) => html`<${LinkPage} secret=${id} />`,
};

function App() {
  const route = useRoute();
  const { session, error, load } = useLoadedSession();
  const [help, setHelp] = useState(false);
  useKeys({ "?": () => setHelp(true) });
  useEffect(() => {
    document.title = strings.product;
  }, [route.page, route.id]);
  if (!session) {
    return html`<main class="outside">${error ? html`<${Problem} error=${error} retry=${load} />` : html`<${Waiting} />`}</main>`;
  }
  const outside = OUTSIDE[route.page];
  const inside = PAGES[route.page];
  const entered = session.account || session.collection;
  return html`<${SessionContext.Provider} value=${{ ...session, load }}>
    ${outside || !entered
      ? (outside ?? OUTSIDE.login)(route)
      : html`<${Frame} route=${route} help=${() => setHelp(true)}>${inside(route)}<//>`}
    ${help && html`<${Help} close=${() => setHelp(false)} />`}
  <//>`;
}

const place = document.getElementById("app");
place.replaceChildren();
render(html`<${App} />`, place);
