/** The session: who is logged in, and how many users the service has. */
import { createContext, useContext, useEffect, useState } from "./lib.js";
import { get, path, remove, setCsrf } from "./api.js";

/**
 * @typedef {{id: string, name: string, is_admin: boolean}} Account
 * @typedef {{account: Account | null, multi_user: boolean, csrf: string, oidc: boolean,
 *   collection: string | null}} Session
 */

export const SessionContext = createContext(null);
export const useSession = () => useContext(SessionContext);

/** The session as the service tells it, and a function that asks again. */
export function useLoadedSession() {
  const [state, setState] = useState({ session: null, error: null });
  const load = async () => {
    try {
      const session = await get(path("session"));
      setCsrf(session.csrf);
      setState({ session, error: null });
      return session;
    } catch (error) {
      setState({ session: null, error });
      return null;
    }
  };
  useEffect(() => void load(), []);
  useEffect(() => {
    addEventListener("seminar:login", load);
    return () => removeEventListener("seminar:login", load);
  }, []);
  return { ...state, load };
}

/** Log out, and show the login page afresh. */
export async function logOut() {
  await remove(path("session"));
  location.assign("/login");
}
