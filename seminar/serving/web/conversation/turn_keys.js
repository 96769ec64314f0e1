/** Keys that go from turn to turn and act on one; the buttons of a turn name their keys. */

const turns = () => [...document.querySelectorAll(".turn")];

/** The turn that has the focus, else the last. */
function currentTurn() {
  return document.activeElement?.closest(".turn") ?? turns().at(-1);
}

export function moveBetweenTurns(event, step) {
  if (event.target.closest?.(".source, .side, .menu, .trail")) return; // these scroll or move themselves
  const all = turns();
  const focused = all.indexOf(document.activeElement?.closest(".turn"));
  const next = all[focused < 0 ? (step < 0 ? all.length - 1 : 0) : focused + step];
  if (!next) return;
  event.preventDefault();
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "start" });
}

/** Press the button of the current turn that has a key. */
export function pressIn(event, key) {
  const button = currentTurn()?.querySelector(`[data-key="${key}"]`);
  if (!button) return;
  event.preventDefault();
  button.click();
}

/** Scroll to a turn, perhaps with the focus on it. */
export function showTurn(number, focus = false) {
  requestAnimationFrame(() => {
    const turn = document.getElementById(`turn-${number}`);
    turn?.scrollIntoView({ block: "start" });
    if (focus) turn?.focus({ preventScroll: true });
  });
}
