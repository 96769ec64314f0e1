/** Loading and handing in a form of the server. */
import { useEffect, useState } from "../lib.js";
import { useLive } from "./live.js";

/** The record at a path of the service, renewed when the path changes. @param {string[]} parts */
export function useForm(...parts) {
  const { requests } = useLive();
  const [state, setState] = useState({ record: null, error: null });
  const load = () =>
    requests.get(...parts).then(
      (record) => setState({ record, error: null }),
      (error) => setState({ record: null, error }),
    );
  useEffect(() => void load(), parts);
  return { ...state, load, set: (record) => setState({ record, error: null }) };
}

/** Hand something in: whether it is on its way, and what went wrong. @param {() => Promise<void>} action */
export function useSubmit(action) {
  const [state, setState] = useState({ busy: false, error: null });
  const submit = async (event) => {
    event?.preventDefault();
    setState({ busy: true, error: null });
    try {
      await action();
      setState({ busy: false, error: null });
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  return { ...state, submit };
}
