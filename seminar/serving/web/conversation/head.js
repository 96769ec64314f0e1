/** The head of a conversation: its title, what it asks, and its export. */
import { html, useEffect, useState } from "../lib.js";
import { strings } from "../strings.js";
import { shorten, shown } from "../text.js";
import { patch, path } from "../api.js";
import { Icon } from "../parts/icon.js";
import { Menu } from "../parts/menu.js";
import { NameDialog } from "../parts/dialog.js";
import { dialoguesChanged } from "../navigation/dialogues.js";

const FORMATS = ["markdown", "html", "json"];

export function DialogueHead({ dialogue, collection, asked, change }) {
  const t = strings.conversation;
  const [renaming, setRenaming] = useState(false);
  useEffect(() => {
    const renamed = ({ detail }) => detail.id === dialogue.id && change({ title: detail.title });
    addEventListener("seminar:renamed", renamed);
    return () => removeEventListener("seminar:renamed", renamed);
  }, [dialogue.id]);
  const save = async (title) => {
    await patch(path("dialogues", dialogue.id), { title });
    change({ title });
    dialoguesChanged();
  };
  const title = shorten(dialogue.title || dialogue.turns[0]?.question || asked, 90) || strings.navigation.untitled;
  const items = [
    { label: strings.navigation.start, icon: "plus", href: `/ask/${dialogue.collection}` },
    { label: strings.rename, icon: "edit", act: () => setRenaming(true) },
    ...FORMATS.map((format) => ({
      label: `${t.export}: ${t.exports[format]}`,
      icon: "download",
      href: path("dialogues", dialogue.id, "export", { format }),
      download: true,
    })),
  ];
  return html`<header class="talk-head">
    <div class="talk-title">
      <h1 class="clip"><bdi>${title}</bdi></h1>
      ${collection && html`<a class="quiet clip" href=${`/collections/${collection.id}`}><bdi>${shown(collection.name)}</bdi></a>`}
      ${dialogue.forked_from && html`<a class="quiet forked" href=${`/dialogues/${dialogue.forked_from}`}><${Icon} name="back" />${t.forked}</a>`}
    </div>
    <a class="icon-button" href=${`/ask/${dialogue.collection}`} aria-label=${strings.navigation.start} title=${strings.navigation.start}><${Icon} name="plus" /></a>
    <${Menu} label=${strings.actions(title)} items=${items} />
    ${renaming && html`<${NameDialog} title=${strings.navigation.renameTitle} name=${shown(dialogue.title)} save=${save} close=${() => setRenaming(false)} />`}
  </header>`;
}
