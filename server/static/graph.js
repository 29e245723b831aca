// What is around a node: drawn, and said in a table; a click, or a choice from the table, walks on.

import { call, el, fault, notice } from "./common.js";

const place = document.getElementById("drawing");
const field = document.getElementById("node");
const back = document.getElementById("back");
const walked = [];
const style = getComputedStyle(document.documentElement);
const colour = (name) => style.getPropertyValue(name).trim();

const drawing = cytoscape({
  container: place,
  style: [
    { selector: "node", style: { label: "data(name)", "text-wrap": "wrap", "text-max-width": 110, "font-size": 11, color: colour("--ink"), "background-color": colour("--accent"), width: 22, height: 22, "text-valign": "bottom" } },
    { selector: "node.value", style: { shape: "round-rectangle", "background-color": colour("--quiet"), width: 14, height: 14 } },
    { selector: "node.middle", style: { width: 36, height: 36, "font-weight": "bold" } },
    { selector: "edge", style: { label: "data(name)", "font-size": 9, color: colour("--quiet"), "curve-style": "bezier", "target-arrow-shape": "triangle", width: 1, "line-color": colour("--line"), "target-arrow-color": colour("--line") } },
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

function draw(data) {
  const elements = [{ data: { id: data.node, name: data.name }, classes: "middle" }];
  const seen = new Set([data.node]);
  const edges = new Map();
  data.relations.forEach((one, index) => {
    const id = one.iri ?? `value-${index}`;
    if (!seen.has(id)) elements.push({ data: { id, name: one.name.slice(0, 60) }, classes: one.iri ? "" : "value" });
    seen.add(id);
    const [source, target] = one.backwards ? [id, data.node] : [data.node, id];
    const key = `${source} ${target}`;
    if (!edges.has(key)) edges.set(key, { source, target, names: new Set() });
    edges.get(key).names.add(one.relation);
  });
  for (const [id, { source, target, names }] of edges) elements.push({ data: { id, source, target, name: [...names].slice(0, 2).join(", ") } });
  drawing.elements().remove();
  drawing.add(elements);
  drawing.layout({ name: "concentric", animate: false, minNodeSpacing: 30, concentric: (node) => (node.hasClass("middle") ? 2 : 1), levelWidth: () => 1 }).run();
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
