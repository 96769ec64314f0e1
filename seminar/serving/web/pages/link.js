/** The page of a public link: it trades the secret for a session, then opens the collection. */
import { html, useEffect, useState } from "../lib.js";
import { strings } from "../strings.js";
import { path, post } from "../api.js";
import { navigate } from "../router.js";
import { useSession } from "../session.js";
import { Problem, Waiting } from "../parts/problem.js";

export function LinkPage({ secret }) {
  const session = useSession();
  const [error, setError] = useState(null);
  const open = async () => {
    setError(null);
    try {
      const { collection } = await post(path("session"), { link: secret });
      await session.load();
      navigate(`/ask/${collection}`, { replace: true });
    } catch (failure) {
      setError(failure);
    }
  };
  useEffect(() => void open(), [secret]);
  return html`<main class="outside"><div class="outside-card">
    <h1>${strings.link.opening}</h1>
    ${error ? html`<${Problem} error=${error} retry=${open} />` : html`<${Waiting} />`}
  </div></main>`;
}
