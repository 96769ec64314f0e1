/** A clock for people who wait. */
import { useEffect, useState } from "../lib.js";

/** The seconds since a moment, renewed every second. */
export function useSeconds(from) {
  const [, renew] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => renew((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.floor((Date.now() - from) / 1000));
}

/** Seconds as minutes and seconds. */
export const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
