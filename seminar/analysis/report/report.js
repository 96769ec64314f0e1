"use strict";
// Text enters the page as text nodes only; the data are the JSON of the element "data".
const DATA = JSON.parse(document.getElementById("data").textContent);
const PAGE = 20;
const FILTERED_ROWS = 12; // a table of fewer rows has no filter

function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// ---- tips of figures

const tip = document.getElementById("tip");

function markOf(target) {
  for (let at = target; at && at.nodeName !== "svg"; at = at.parentNode) {
    if (at.id && Object.hasOwn(DATA.tips, at.id)) return at.id;
  }
  return null;
}

document.addEventListener("pointermove", (event) => {
  const mark = event.target instanceof Element ? markOf(event.target) : null;
  tip.hidden = mark === null;
  if (mark === null) return;
  tip.textContent = DATA.tips[mark];
  const box = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - box.width - 4)) + "px";
  const below = event.clientY + 18;
  tip.style.top = (below + box.height > innerHeight ? event.clientY - box.height - 10 : below) + "px";
});
document.addEventListener("pointerdown", () => { tip.hidden = true; });
document.addEventListener("keydown", (event) => { if (event.key === "Escape") tip.hidden = true; });

// ---- tables: sort by a column, filter by words

function value(cell) {
  return cell.dataset.value === undefined ? null : Number(cell.dataset.value);
}

function compare(column, up) {
  return (a, b) => {
    const [x, y] = [a.cells[column], b.cells[column]];
    const [m, n] = [value(x), value(y)];
    const order = m !== null && n !== null && !Number.isNaN(m) && !Number.isNaN(n)
      ? m - n : x.textContent.localeCompare(y.textContent, "en", { numeric: true });
    return up ? order : -order;
  };
}

function makeSortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = element("button", { type: "button" }, head.textContent.trim() || "statistic");
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      table.tBodies[0].append(...[...table.tBodies[0].rows].sort(compare(column, up)));
    });
  });
}

function makeFilter(table) {
  const rows = [...table.tBodies[0].rows];
  if (rows.length < FILTERED_ROWS) return;
  const name = "filter-" + table.id;
  const input = element("input", { type: "search", id: name });
  const bar = element("div", { class: "filter" },
    element("label", { for: name }, "Rows that contain"), input);
  table.parentNode.before(bar);
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(words);
  });
}

for (const table of document.querySelectorAll("table")) {
  makeSortable(table);
  makeFilter(table);
}

// ---- the error browser; its state is the fragment, so that an address leads to the same view

function field(name, label, control) {
  control.id = name;
  return element("div", {}, element("label", { for: name }, label, " "), control);
}

function choice(options) {
  const control = element("select");
  for (const [key, text] of options) control.append(element("option", { value: key }, text));
  return control;
}

function pair(list, term, ...described) {
  list.append(element("dt", {}, term));
  for (const one of described) list.append(element("dd", {}, one));
}

function shownError(row, part, permalink) {
  const list = element("dl");
  row.history.forEach(([question, answer], at) =>
    pair(list, "turn " + (at + 1), "Q: " + question + "\nA: " + (answer || "(none)")));
  pair(list, "gold", row.gold.join(" | "));
  for (const one of row.predictions) pair(list, one.system + " (" + one.score + ")", one.answer);
  if (row.evidence) pair(list, "evidence", row.evidence);
  const link = element("a", { href: permalink }, "link to " + row.id);
  return element("div", { class: "error", "data-id": row.id },
    element("h4", {}, row.question), list, element("p", { class: "note" }, link));
}

function browser(place, part) {
  const rows = DATA.errors[part];
  const systems = [...new Set(rows.flatMap((row) => row.predictions.map((one) => one.system)))];
  const types = [...new Set(rows.map((row) => row.type))].sort();
  const search = element("input", { type: "search" });
  const type = choice([["", "all"], ...types.map((one) => [one, one])]);
  const views = { "": () => true, wrong: (row) => row.predictions.every((one) => one.score === 0) };
  const names = [["", "all"], ["wrong", "every system at 0"]];
  for (const better of systems) {
    for (const worse of systems) {
      if (better === worse) continue;
      const key = better + " > " + worse;
      views[key] = (row) => {
        const of = (system) => row.predictions.find((one) => one.system === system)?.score;
        return of(better) > of(worse);
      };
      names.push([key, better + " better than " + worse]);
    }
  }
  const view = choice(names);
  const order = choice([["worst", "worst first"], ["best", "best first"], ["given", "as in the data"]]);
  const count = element("p", { role: "status" });
  const list = element("div");
  const back = element("button", { type: "button" }, "Previous");
  const on = element("button", { type: "button" }, "Next");
  let page = 0;
  let chosen = "";

  const address = (id) => {
    const state = new URLSearchParams({ part });
    if (search.value) state.set("q", search.value);
    if (type.value) state.set("type", type.value);
    if (view.value) state.set("show", view.value);
    if (order.value !== "worst") state.set("order", order.value);
    if (id) state.set("id", id);
    return "#errors?" + state.toString();
  };
  const least = (row) => Math.min(...row.predictions.map((one) => one.score));
  const found = () => {
    const words = search.value.toLowerCase();
    const kept = rows.filter((row) => (!type.value || row.type === type.value)
      && (views[view.value] || views[""])(row)
      && (!words || JSON.stringify(Object.values(row)).toLowerCase().includes(words)));
    if (order.value === "best") kept.sort((a, b) => least(b) - least(a));
    if (order.value === "given") kept.sort((a, b) => a.id.localeCompare(b.id, "en", { numeric: true }));
    return kept;
  };
  const draw = () => {
    const kept = found();
    const at = kept.findIndex((row) => row.id === chosen);
    if (chosen && at >= 0) page = Math.floor(at / PAGE);
    page = Math.max(0, Math.min(page, Math.ceil(kept.length / PAGE) - 1));
    const shown = kept.slice(page * PAGE, page * PAGE + PAGE);
    list.replaceChildren(...shown.map((row) => shownError(row, part, address(row.id))));
    count.textContent = kept.length === 0 ? "No question matches."
      : `${page * PAGE + 1}–${page * PAGE + shown.length} of ${kept.length} questions`;
    back.disabled = page === 0;
    on.disabled = (page + 1) * PAGE >= kept.length;
    const target = chosen && [...list.children].find((one) => one.dataset.id === chosen);
    if (target) {
      target.classList.add("chosen");
      target.scrollIntoView({ block: "center" });
    }
  };
  const changed = () => {
    page = 0;
    chosen = "";
    history.replaceState(null, "", address(""));
    draw();
  };
  const restore = () => {
    const [name, query] = location.hash.split("?", 2);
    const state = new URLSearchParams(query || "");
    if (name !== "#errors" || state.get("part") !== part) return;
    search.value = state.get("q") || "";
    type.value = state.get("type") || "";
    view.value = state.get("show") || "";
    order.value = state.get("order") || "worst";
    chosen = state.get("id") || "";
    draw();
    if (!chosen) place.scrollIntoView();
  };
  for (const control of [search, type, view, order]) control.addEventListener("input", changed);
  const turn = (by) => () => {
    page += by;
    chosen = "";
    draw();
    place.scrollIntoView();
  };
  back.addEventListener("click", turn(-1));
  on.addEventListener("click", turn(1));
  addEventListener("hashchange", restore);
  place.append(
    element("div", { class: "filter" },
      field("search-" + part, "Search", search), field("type-" + part, "Question type", type),
      field("view-" + part, "Show", view), field("order-" + part, "Order", order)),
    count, list, element("div", { class: "pages" }, back, on));
  draw();
  restore();
}

for (const place of document.querySelectorAll("[data-errors]")) browser(place, place.dataset.errors);
