/** Accept an invitation: make an account, or choose a new password. */
import { html, useState } from "../lib.js";
import { strings } from "../strings.js";
import { shown } from "../text.js";
import { path, post } from "../api.js";
import { useRecord } from "../loading.js";
import { navigate } from "../router.js";
import { useSession } from "../session.js";
import { Problem, Waiting } from "../parts/problem.js";

export function InvitationPage({ secret }) {
  const t = strings.invitation;
  const session = useSession();
  const { record, error } = useRecord(path("invitations", secret));
  const [state, setState] = useState({ busy: false, error: null });
  if (!record) return html`<main class="outside"><div class="outside-card">${error ? html`<h1>${t.invalid}</h1><${Problem} error=${error} />` : html`<${Waiting} />`}</div></main>`;
  const renews = record.purpose === "password";
  const titles = { admin: t.adminTitle, password: t.passwordTitle(shown(record.name ?? "")) };
  const submit = async (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    setState({ busy: true, error: null });
    try {
      await post(path("invitations", secret), { name: form.get("name") ?? "", password: form.get("password") });
      await session.load();
      navigate("/", { replace: true });
    } catch (failure) {
      setState({ busy: false, error: failure });
    }
  };
  return html`<main class="outside">
    <form class="form outside-card" onSubmit=${submit}>
      <p class="brand"><span>${strings.product}</span></p>
      <h1><bdi>${titles[record.purpose] ?? t.accountTitle}</bdi></h1>
      ${!renews && html`<label class="field">${strings.login.name}<input name="name" required autocomplete="username" autocapitalize="none" dir="auto" /></label>`}
      <label class="field">${strings.login.password}
        <input name="password" type="password" required minlength="8" autocomplete="new-password" aria-describedby="password-hint" />
      </label>
      <p id="password-hint" class="quiet">${t.passwordHint}</p>
      <${Problem} error=${state.error} />
      <button class="button" disabled=${state.busy}>${t.submit}</button>
    </form>
  </main>`;
}
