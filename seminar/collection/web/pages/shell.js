/** The frame of a worker's pages: what was earned, the connection, notices, and the menu. */
import { html, useState } from "../../lib.js";
import { keep, kept } from "../../kept.js";
import { shown } from "../../text.js";
import { Menu } from "../../parts/menu.js";
import { ConfirmDialog, Dialog } from "../../parts/dialog.js";
import { chooseTheme, theme, THEMES } from "../../parts/theme.js";
import { strings as shared } from "../../strings.js";
import { useLive } from "../live.js";
import { Markdown } from "../markdown.js";
import { money } from "../money.js";
import { strings } from "../strings.js";
import { PayDialog } from "./pay.js";

export function Shell({ step, children }) {
  const { study, live } = useLive();
  const [open, setOpen] = useState("");
  const close = () => setOpen("");
  const { standing, status, view } = live;
  const now = view && !view.frame.ended && !view.frame.practice ? view.frame.earned : 0;
  return html`<div class="shell">
    <header class="study-bar">
      <h1 class="study-title clip"><bdi>${shown(study.title)}</bdi></h1>
      <${ConnectionState} status=${status} sending=${live.sending} />
      <span class="earned" title=${strings.pay.earned}><span class="visually-hidden">${strings.pay.earned}</span>${money(standing.earned + now, standing.currency)}</span>
      <${StudyMenu} open=${setOpen} step=${step} />
    </header>
    <${Notices} worker=${standing.worker} notices=${[...standing.notices, ...live.notices]} />
    ${status === "closed" && html`<div class="problem" role="alert"><p><bdi>${shown(live.closing)}</bdi></p></div>`}
    <main class=${step === "dialog" ? "stage-area in-dialog" : "stage-area"} id="main" tabindex="-1">${children}</main>
    ${open === "pay" && html`<${PayDialog} close=${close} />`}
    ${open === "about" && html`<${Dialog} title=${study.title} close=${close} wide><${Markdown} text=${study.introduction} /><${Markdown} text=${study.consent} />${study.contact && html`<p class="quiet">${strings.contact(shown(study.contact))}</p>`}<//>`}
    ${open === "withdraw" && html`<${WithdrawDialog} close=${close} />`}
  </div>`;
}

function StudyMenu({ open, step }) {
  const [, setTheme] = useState(theme());
  return html`<${Menu} label=${strings.menu.label} items=${[
    { label: strings.menu.pay, icon: "file", act: () => open("pay") },
    { label: strings.menu.about, icon: "help", act: () => open("about") },
    ...THEMES.map((name) => ({
      label: `${shared.navigation.theme}: ${shared.navigation.themes[name]}`,
      checked: theme() === name,
      act: () => (chooseTheme(name), setTheme(name)),
    })),
    step !== "consent" && { label: strings.menu.withdraw, icon: "trash", danger: true, act: () => open("withdraw") },
  ]} />`;
}

/** Whether the server is reached, and whether everything was stored there. */
function ConnectionState({ status, sending }) {
  const t = strings.connection;
  const text = status === "open" ? (sending ? t.sending : t.open) : status === "lost" ? t.lost : status === "closed" ? t.closed : t.connecting;
  return html`<span class=${`connection ${status}`} role="status"><span class="connection-dot" aria-hidden="true"></span><span class="connection-text">${text}</span></span>`;
}

/** Texts of the admin; those that were read do not come again. */
function Notices({ notices, worker }) {
  const [read, setRead] = useState(() => JSON.parse(kept(`notices:${worker}`) || "[]"));
  const left = [...new Set(notices)].filter((text) => !read.includes(text));
  const understand = () => {
    const all = [...read, ...left];
    keep(`notices:${worker}`, JSON.stringify(all));
    setRead(all);
  };
  return html`<div role="status">${left.length > 0 && html`<div class="notice">
    <div>${left.map((text) => html`<p><bdi>${shown(text)}</bdi></p>`)}</div>
    <button type="button" class="button quiet small" onClick=${understand}>${strings.noticeRead}</button>
  </div>`}</div>`;
}

function WithdrawDialog({ close }) {
  const { requests, leave } = useLive();
  const withdraw = async () => {
    await requests.post({ confirmed: true }, "withdraw");
    leave();
  };
  const t = strings.withdraw;
  return html`<${ConfirmDialog} title=${t.title} text=${t.text} label=${t.submit} action=${withdraw} close=${close} />`;
}
