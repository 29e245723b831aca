// A file is checked first, and shown with what is wrong in which line; then it is loaded.

import { call, el, fault, notice } from "./common.js";

const TYPES = { ttl: "text/turtle", nt: "application/n-triples", jsonld: "application/ld+json", json: "application/ld+json" };
const drop = document.getElementById("drop");
const input = document.getElementById("file");
const button = document.getElementById("load");
const report = document.getElementById("report");
const AROUND = 3;
let chosen = null;

async function send(file, text, check) {
  const type = TYPES[file.name.split(".").pop().toLowerCase()];
  if (!type) return { status: 415, data: { message: "Files that end like this cannot be read.", remedy: "Give Turtle or JSON-LD." } };
  const address = `/things?name=${encodeURIComponent(file.name)}${check ? "&check=1" : ""}`;
  return call(address, { method: "POST", body: text, headers: { "Content-Type": type } });
}

async function check(file) {
  const text = await file.text();
  chosen = { file, text };
  const { status, data } = await send(file, text, true);
  show(file.name, status, data, text);
}

function show(name, status, data, text) {
  document.getElementById("found").hidden = false;
  button.hidden = status !== 200;
  document.getElementById("heading").textContent = status < 300 ? `${name}: valid` : `${name}: refused`;
  report.replaceChildren(...(status < 300 ? valid(data) : wrong(data, text)));
}

function valid(data) {
  const things = data.things.map((thing) => el("li", {}, thing.title, thing.known ? " (replaces the one that is there)" : ""));
  const parts = [el("p", {}, `${data.things.length} things, ${data.places.length} places, ${data.states} values, ${data.terms} terms.`), el("ul", {}, ...things)];
  if (data.warnings.length) parts.push(el("h3", {}, "Small faults"), el("ul", {}, ...data.warnings.map((one) => el("li", {}, one))));
  return parts;
}

function wrong(data, text) {
  const parts = [el("p", { class: "fault", role: "alert" }, data.line ? `Line ${data.line}: ${fault(data)}` : fault(data))];
  if (data.line) {
    const lines = text.split("\n");
    const first = Math.max(0, data.line - 1 - AROUND);
    const excerpt = lines.slice(first, data.line + AROUND).map((line, index) => {
      const number = first + index + 1;
      const shown = `${String(number).padStart(4)}  ${line}\n`;
      return number === data.line ? el("mark", {}, shown) : shown;
    });
    parts.push(el("pre", { class: "source", tabindex: "0", role: "region", "aria-label": "The lines around the fault" }, ...excerpt));
  }
  return parts;
}

input.addEventListener("change", () => input.files[0] && check(input.files[0]));
drop.addEventListener("dragover", (event) => {
  event.preventDefault();
  drop.classList.add("over");
});
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  if (event.dataTransfer.files[0]) check(event.dataTransfer.files[0]);
});
button.addEventListener("click", async () => {
  button.disabled = true;
  const { status, data } = await send(chosen.file, chosen.text, false);
  button.disabled = false;
  if (status >= 300) return show(chosen.file.name, status, data, chosen.text);
  button.hidden = true;
  document.getElementById("heading").textContent = `${chosen.file.name}: loaded`;
  report.prepend(el("p", { class: "good" }, `Loaded: ${data.things.length} things.`));
  notice("Loaded.");
});
