/** Preact and htm under one name; every component imports from here. */
import { h, render, Fragment, createContext } from "./vendor/preact/preact.js";
import htm from "./vendor/htm/htm.js";

export const html = htm.bind(h);
export { render, Fragment, createContext };
export {
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "./vendor/preact/hooks.js";
