/** Requests to the study's server, with the token of a worker or of the admin. */
import * as api from "../api.js";

/**
 * The requests that carry a token.
 * @param {string} token
 */
export function requestsWith(token) {
  const options = { headers: token ? { Authorization: `Bearer ${token}` } : {} };
  return {
    get: (...parts) => api.get(api.path(...parts), options),
    post: (body, ...parts) => api.post(api.path(...parts), body, options),
    remove: async (...parts) => void (await api.send("DELETE", api.path(...parts), options)),
    /** Save the answer of a request as a file. */
    download: async (name, ...parts) => {
      const response = await api.send("GET", api.path(...parts), options);
      const address = URL.createObjectURL(await response.blob());
      const link = document.createElement("a");
      link.href = address;
      link.download = /filename="?([^";]+)/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
    },
  };
}

/** @typedef {ReturnType<typeof requestsWith>} Requests */
