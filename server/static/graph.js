// What is around a node: drawn, and said in a table; a click, or a choice from the table, walks on.

import { call, el, fault, notice } from "./common.js";

const place = document.getElementById("drawing");
const field = document.getElementById("node");
const back = document.getElementById("back");
const walked = [];
const style = getComputedStyle(document.documentElement);
const colour = (name) => style.getPropertyValue(name).trim();

const ROW = 20; // pixels from one name to the next, at least
const LINE = 14; // pixels of a relation, from one to the next, at least
const NARROW = 480; // pixels of a drawing in which relations are told by the table alone
const LETTER = 6; // pixels of one, on average
const AWAY = 54; // pixels to the side, from the middle of a relation to the node that it leads to

const drawing = cytoscape({
  container: place,
  style: [
    { selector: "node", style: { label: "data(name)", "text-wrap": "wrap", "text-max-width": "data(room)", "font-size": 11, color: colour("--ink"), "background-color": colour("--accent"), width: 14, height: 14, "text-valign": "center", "text-margin-x": "data(margin)", "text-halign": "data(side)" } },
    { selector: "node.value", style: { shape: "round-rectangle", "background-color": colour("--quiet"), width: 10, height: 10 } },
    { selector: "node.middle", style: { width: 30, height: 30, "font-weight": "bold", "text-valign": "bottom", "text-margin-y": 4, "text-background-color": colour("--paper"), "text-background-opacity": 0.85 } },
    { selector: "edge", style: { "source-label": "data(before)", "target-label": "data(after)", "source-text-offset": "data(away)", "target-text-offset": "data(away)", "font-size": 9, color: colour("--quiet"), "text-background-color": colour("--paper"), "text-background-opacity": 0.85, "curve-style": "straight", "target-arrow-shape": "triangle", width: 1, "line-color": colour("--line"), "target-arrow-color": colour("--line") } },
  ],
});

async function show(node, remember = true) {
  const { status, data } = await call(`/graph/around.json?node=${encodeURIComponent(node)}`);
  if (status !== 200) return notice(fault(data));
  if (remember) walked.push(node);
  back.disabled = walked.length < 2;
  document.getElementById("about").textContent = data.name;
  table(data);
  draw(data);
}

function table(data) {
  const rows = data.relations.map((one) => {
    const other = one.iri ? el("button", { type: "button", class: "plain", on: { click: () => show(one.iri) } }, one.name) : one.name;
    return el("tr", {}, el("td", {}, el("span", { "aria-label": one.backwards ? `${one.relation}, from there` : one.relation }, `${one.backwards ? "←" : "→"} ${one.relation}`)), el("td", {}, other));
  });
  document.getElementById("relations").replaceChildren(...rows);
}

// The neighbours of a node, each once, with the names of the relations between the two.
function around(data) {
  const found = new Map();
  data.relations.forEach((one, index) => {
    const id = one.iri ?? `value-${index}`;
    if (id === data.node) return;
    if (!found.has(id)) found.set(id, { id, name: one.name, value: !one.iri, backwards: one.backwards, relations: new Set() });
    found.get(id).relations.add(one.relation);
  });
  return [...found.values()];
}

const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

// Two sides with a row for each name, so that no name lies over another; of those beyond the last row the table tells.
function draw(data) {
  const [width, height] = [place.clientWidth, place.clientHeight];
  const narrow = width < NARROW;
  const reach = narrow ? 44 : Math.max(130, width * 0.27);
  const room = width / 2 - reach - 24;
  const all = around(data);
  const most = 2 * Math.floor((height - 80) / ROW);
  const shown = all.length > most ? [...all.slice(0, most - 1), { id: "more", name: `and ${all.length - most + 1} more`, value: true, relations: new Set() }] : all;
  const rows = Math.ceil(shown.length / 2);
  const step = Math.min(46, (height - 80) / Math.max(1, rows));
  const letters = Math.floor(room / LETTER) * (step >= 32 ? 2 : 1);
  const elements = [{ data: { id: data.node, name: narrow ? "" : cut(data.name, 60), room: 110, side: "center", margin: 0 }, position: { x: 0, y: 0 }, classes: "middle" }];
  let last = { relation: "", at: -Infinity };
  shown.forEach((one, index) => {
    const right = index < rows;
    const y = ((right ? index : index - rows) - (rows - 1) / 2) * step;
    const x = (right ? 1 : -1) * reach * (0.75 + 0.25 * Math.sqrt(Math.max(0, 1 - (2 * y / height) ** 2)));
    const name = cut(one.name.startsWith(`${data.name}: `) ? one.name.slice(data.name.length + 2) : one.name, letters);
    elements.push({ data: { id: one.id, name, room, side: right ? "right" : "left", margin: right ? 4 : -4 }, position: { x, y }, classes: one.value ? "value" : "" });
    if (one.id === "more") return;
    if (index === rows) last = { relation: "", at: -Infinity };
    const at = y * (1 - AWAY / Math.abs(x));
    const relation = cut([...one.relations].join(", "), 20);
    const told = narrow || relation === last.relation || at - last.at < LINE ? "" : relation;
    if (told) last = { relation, at };
    const [source, target] = one.backwards ? [one.id, data.node] : [data.node, one.id];
    elements.push({ data: { id: `${source} ${target}`, source, target, away: (AWAY * Math.hypot(x, y)) / Math.abs(x), before: one.backwards ? told : "", after: one.backwards ? "" : told } });
  });
  drawing.elements().remove();
  drawing.add(elements);
  drawing.layout({ name: "preset", fit: false }).run();
  drawing.zoom(1);
  drawing.center(drawing.getElementById(data.node));
}

drawing.on("tap", "node", (event) => {
  if (!event.target.hasClass("value")) show(event.target.id());
});
back.addEventListener("click", () => {
  walked.pop();
  show(walked[walked.length - 1], false);
});
document.getElementById("find").addEventListener("submit", (event) => {
  event.preventDefault();
  const found = [...document.querySelectorAll("#known option")].find((option) => option.value === field.value);
  if (found) show(found.dataset.iri);
  else if (/^[a-z][a-z0-9+.-]*:/i.test(field.value)) show(field.value);
  else notice("Choose something from the list.");
});
show(place.dataset.start);
