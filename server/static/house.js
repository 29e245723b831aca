// Rooms and devices: what they say now, and how they are operated by hand.

import { call, fault, notice } from "./common.js";

const PAUSE = 2000;
const busy = new Set();

async function refresh() {
  if (document.visibilityState !== "visible") return;
  const { status, data } = await call("/home/state.json");
  if (status !== 200) return;
  for (const place of document.querySelectorAll("[data-property]")) {
    const found = data[place.dataset.property];
    if (found && !busy.has(place.dataset.property)) put(place, ...found);
  }
}

function put(place, value, shown) {
  const control = place.querySelector("select, input");
  const output = place.querySelector("output");
  if (output) output.textContent = shown;
  if (control && document.activeElement !== control) control.value = control.dataset.kind === "choice" ? JSON.stringify(value) : value;
}

async function operate(place, control) {
  const property = place.dataset.property;
  const value = control.dataset.kind === "choice" ? JSON.parse(control.value || "null") : Number(control.value);
  if (value === null) return;
  busy.add(property);
  let { status, data } = await call("/home/operate", { method: "POST", json: { property, value } });
  if (status === 200 && data.status === "proposed") {
    const how = (await asked(data.reply)) ? "consent" : "decline";
    ({ status, data } = await call(`/requests/${encodeURIComponent(data.id)}/${how}`, { method: "POST", json: { plan_id: data.plan_id } }));
  }
  busy.delete(property);
  notice(status < 300 ? data.reply : fault(data));
  control.blur();
  await refresh();
}

function asked(question) {
  const dialog = document.getElementById("consent");
  document.getElementById("question").textContent = question;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}

for (const place of document.querySelectorAll("[data-property]")) {
  const control = place.querySelector("select, input");
  control?.addEventListener("change", () => operate(place, control));
  if (control?.type === "range") control.addEventListener("input", () => (place.querySelector("output").textContent = control.value));
}
document.getElementById("filter")?.addEventListener("input", (event) => {
  const wanted = event.target.value.toLowerCase();
  for (const room of document.querySelectorAll(".room")) {
    let any = false;
    for (const card of room.querySelectorAll(".card")) {
      card.hidden = !`${room.dataset.name} ${card.dataset.name}`.toLowerCase().includes(wanted);
      any ||= !card.hidden;
    }
    room.hidden = !any;
  }
});
setInterval(refresh, PAUSE);
