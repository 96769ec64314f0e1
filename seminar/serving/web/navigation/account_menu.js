/** The menu of the account: theme, tokens, administration, shortcuts, log out. */
import { html, useState } from "../lib.js";
import { strings } from "../strings.js";
import { shown } from "../text.js";
import { navigate } from "../router.js";
import { logOut, useSession } from "../session.js";
import { Menu } from "../parts/menu.js";
import { THEMES, chooseTheme, theme } from "../parts/theme.js";

export function AccountMenu({ help }) {
  const t = strings.navigation;
  const { account, multi_user: several } = useSession();
  const [chosen, setChosen] = useState(theme());
  const choose = (name) => {
    chooseTheme(name);
    setChosen(name);
  };
  const own = several && account;
  const items = [
    ...THEMES.map((name) => ({ label: `${t.theme}: ${t.themes[name]}`, checked: chosen === name, act: () => choose(name) })),
    account && { label: t.tokens, icon: "link", act: () => navigate("/tokens") },
    own && account.is_admin && { label: t.admin, icon: "person", act: () => navigate("/admin") },
    { label: t.help, icon: "help", act: help },
    own && { label: t.logOut, icon: "back", act: logOut },
    several && !account && { label: t.logIn, icon: "person", act: () => navigate("/login") },
  ];
  const name = own ? shown(account.name) : t.menu;
  return html`<div class="side-foot">
    <${Menu} label=${own ? t.account(name) : t.menu} icon=${own ? "person" : "theme"} text=${html`<bdi class="clip">${name}</bdi>`} align="up" items=${items} />
  </div>`;
}
