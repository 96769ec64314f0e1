/** Log in with a name and a password, or at a provider. */
import { html, useState } from "../lib.js";
import { strings } from "../strings.js";
import { path, post } from "../api.js";
import { navigate } from "../router.js";
import { useSession } from "../session.js";
import { Problem } from "../parts/problem.js";

/** Why a login at the provider failed, if it has led back here. */
function failure() {
  const reason = new URLSearchParams(location.search).get("failed");
  const { failed } = strings.login;
  return reason === null ? null : new Error(Object.hasOwn(failed, reason) ? failed[reason] : failed.other);
}

export function LoginPage() {
  const t = strings.login;
  const session = useSession();
  const [state, setState] = useState(() => ({ busy: false, error: failure() }));
  const submit = async (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    setState({ busy: true, error: null });
    try {
      await post(path("session"), { name: form.get("name"), password: form.get("password") });
      await session.load();
      if (location.pathname === "/login") navigate("/", { replace: true });
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  return html`<main class="outside">
    <form class="form outside-card" onSubmit=${submit}>
      <p class="brand"><span>${strings.product}</span></p>
      <h1>${t.title}</h1>
      <label class="field">${t.name}<input name="name" required autocomplete="username" autocapitalize="none" dir="auto" /></label>
      <label class="field">${t.password}<input name="password" type="password" required autocomplete="current-password" /></label>
      <${Problem} error=${state.error} />
      <button class="button" disabled=${state.busy}>${t.submit}</button>
      ${session.oidc && html`<a class="button quiet" target="_self" href="/api/v1/oidc/login">${t.provider}</a>`}
    </form>
  </main>`;
}
