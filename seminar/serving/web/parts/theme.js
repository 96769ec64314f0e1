/** The chosen theme: the system's unless another is kept. */
import { keep, kept } from "../kept.js";

export const THEMES = ["system", "light", "dark"];

export function theme() {
  return kept("theme") || "system";
}

export function chooseTheme(name) {
  keep("theme", name === "system" ? "" : name);
  if (name === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
}
