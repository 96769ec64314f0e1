/** The frame of every page: navigation at the side (a drawer on small screens), the page beside it. */
import { html, useEffect, useRef, useState } from "./lib.js";
import { strings } from "./strings.js";
import { navigate } from "./router.js";
import { useKeys } from "./keyboard.js";
import { useSession } from "./session.js";
import { Icon, IconButton } from "./parts/icon.js";
import { AccountMenu } from "./navigation/account_menu.js";
import { Dialogues } from "./navigation/dialogues.js";

export function Frame({ route, help, children }) {
  const [drawer, setDrawer] = useState(false);
  const session = useSession();
  const search = useRef(null);
  useEffect(() => setDrawer(false), [route.page, route.id]);
  useEffect(() => {
    if (drawer) document.querySelector(".drawer-close button").focus(); // shown on small screens only
  }, [drawer]);
  const close = (event) => {
    if (!drawer || event.defaultPrevented) return;
    event.preventDefault();
    setDrawer(false);
  };
  useKeys({
    "Ctrl+k": (event) => {
      event.preventDefault();
      setDrawer(true);
      requestAnimationFrame(() => search.current?.focus());
    },
    Escape: close,
  });
  const skip = (event) => {
    event.preventDefault();
    document.getElementById("main").focus();
  };
  return html`<div class="frame">
    <a class="skip-link" href="#main" onClick=${skip}>${strings.skip}</a>
    <header class="top-bar">
      <${IconButton} icon="menu" label=${strings.navigation.open} aria-expanded=${drawer} onClick=${() => setDrawer(true)} />
      <a class="brand" href="/"><span>${strings.product}</span></a>
    </header>
    ${drawer && html`<div class="drawer-shade" onClick=${() => setDrawer(false)}></div>`}
    <nav class=${drawer ? "side open" : "side"} aria-label=${strings.navigation.label}>
      <div class="side-head">
        <a class="brand" href="/"><span>${strings.product}</span></a>
        <span class="drawer-close"><${IconButton} icon="close" label=${strings.navigation.close} onClick=${() => setDrawer(false)} /></span>
      </div>
      ${session.account && html`<a class="side-link" href="/" aria-current=${route.page === "collections" && !route.id ? "page" : undefined}>
        <${Icon} name="folder" />${strings.navigation.collections}
      </a>`}
      ${session.collection && html`<button type="button" class="side-link" onClick=${() => navigate(`/ask/${session.collection}`)}>
        <${Icon} name="plus" />${strings.navigation.start}
      </button>`}
      <${Dialogues} route=${route} field=${search} />
      <${AccountMenu} help=${help} />
    </nav>
    <main id="main" class="main" tabindex="-1">${children}</main>
  </div>`;
}
