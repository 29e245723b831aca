// The conversation: what is said, the plan in words, consent, the tree as it ticks, and why.

import { call, el, fault, names } from "./common.js";

const talk = document.getElementById("talk");
const form = document.getElementById("say");
const text = document.getElementById("text");
const conversation = `page-${crypto.randomUUID?.() ?? Math.random()}`;

function show(element) {
  talk.append(element);
  element.scrollIntoView({ block: "end", behavior: "instant" });
  return element;
}

async function say(words) {
  show(el("p", { class: "you" }, words));
  const bubble = show(el("div", { class: "home" }, el("p", {}, "…")));
  const json = { text: words, conversation };
  const answer = await call("/requests", { method: "POST", json, headers: { Prefer: "wait=2" } });
  await told(bubble, answer);
}

async function told(bubble, { status, data, headers }) {
  const words = el("p", { class: status < 300 ? "" : "fault" }, status < 300 ? data.reply : fault(data));
  bubble.replaceChildren(words);
  if (status === 202) return watch(bubble, headers.get("Location"), null);
  if (status !== 200) return;
  if (data.status === "proposed") bubble.append(await tree(data.plan), choice(bubble, data));
  else await details(bubble, data);
  bubble.scrollIntoView({ block: "end", behavior: "instant" });
}

function choice(bubble, data) {
  const decide = (how) => async () => {
    for (const button of row.querySelectorAll("button")) button.disabled = true;
    const json = { plan_id: data.plan_id };
    const address = `/requests/${encodeURIComponent(data.id)}`;
    const answer = await call(`${address}/${how}`, { method: "POST", json, headers: { Prefer: "wait=0" } });
    if (answer.status === 202 || (answer.status === 200 && how === "consent")) return watch(bubble, address, data);
    await told(bubble, answer);
  };
  const yes = el("button", { type: "button", class: "yes", on: { click: decide("consent") } }, "Yes, do it");
  const no = el("button", { type: "button", class: "plain", on: { click: decide("decline") } }, "No");
  const row = el("div", { class: "row" }, yes, no);
  return row;
}

async function watch(bubble, address, data) {
  const plan = data?.plan ? await tree(data.plan) : null;
  const stop = el("button", { type: "button", class: "plain", on: { click: () => call(`${address}/cancel`, { method: "POST", json: {} }) } }, "Stop");
  bubble.replaceChildren(el("p", {}, "I am at it."), ...(plan ? [plan] : []), stop);
  const source = new EventSource(`${address}/events`);
  source.addEventListener("node", (event) => {
    const one = JSON.parse(event.data);
    const item = plan?.querySelector(`[data-path="${CSS.escape(one.path)}"]`);
    if (item) {
      item.className = one.status;
      item.querySelector(".state").textContent = one.message ? `${one.status}: ${one.message}` : one.status;
    }
  });
  source.addEventListener("result", async (event) => {
    source.close();
    const found = JSON.parse(event.data);
    bubble.replaceChildren(el("p", {}, found.reply), ...(plan ? [el("details", {}, el("summary", {}, "What I did"), plan)] : []));
    await details(bubble, found, plan !== null);
    bubble.scrollIntoView({ block: "end", behavior: "instant" });
  });
  source.addEventListener("error", async () => {
    source.close();
    await told(bubble, await call(address));
  });
}

/** The plan as nested lists, with what each node is about by name. */
async function tree(plan) {
  if (!plan) return el("span");
  const iris = [];
  (function collect(node) {
    if (node.affordance) iris.push(node.affordance);
    for (const child of node.children ?? (node.child ? [node.child] : [])) collect(child);
  })(plan);
  const known = await names(iris);
  const item = (node, path) => {
    const children = (node.children ?? []).map((child, index) => item(child, `${path}.children[${index}]`));
    if (node.child) children.push(item(node.child, `${path}.child`));
    const words = `${kind(node)}${node.name ? ` “${node.name}”` : ""}${node.affordance ? ` ${known.get(node.affordance) ?? ""}` : ""}${value(node)}`;
    return el("li", { "data-path": path }, el("span", {}, words), " ", el("span", { class: "state" }), children.length ? el("ul", {}, ...children) : null);
  };
  return el("ul", { class: "tree", "aria-label": "Plan" }, item(plan, "$"));
}

const KINDS = { sequence: "one after the other", selector: "the first that works", parallel: "all at once", action: "do", property: "read", condition: "check that", compute: "work out", wait: "wait", wait_until: "wait until", retry: "try again", timeout: "within a time", inverter: "not" };
const kind = (node) => KINDS[node.type] ?? node.type;

function value(node) {
  if (node.type === "condition") return ` ${node.operator} ${shown(node.value)}`;
  if (node.type === "action" && node.payload && Object.keys(node.payload).length) return `: ${shown(node.payload)}`;
  if (node.type === "wait") return ` ${node.seconds} seconds`;
  return "";
}
function shown(found) {
  if (found && typeof found === "object") return Object.values(found).map(shown).join(", ");
  return String(found);
}

/** What was understood and changed, and a way to ask why. */
async function details(bubble, data) {
  if (data.changes.length) {
    const known = await names(data.changes.map((change) => change.property));
    const rows = data.changes.map((change) => el("li", {}, `${known.get(change.property) ?? ""}: ${change.before === null ? "unknown" : shown(change.before)} → ${shown(change.after)}`));
    bubble.append(el("details", {}, el("summary", {}, `What changed (${rows.length})`), el("ul", {}, ...rows)));
  }
  if (!data.intents.length) return;
  const understood = data.intents.map((intent) => {
    const parts = [intent.command, intent.property, intent.device, intent.thing, intent.room].filter(Boolean).map((term) => term.name);
    return el("li", {}, `“${intent.text}”: ${[intent.operation, ...parts].join(", ")} (${intent.status}${intent.reason ? `, ${intent.reason.replaceAll("_", " ")}` : ""})`);
  });
  const milliseconds = Object.values(data.ms).reduce((sum, one) => sum + one, 0).toFixed(0);
  bubble.append(el("details", {}, el("summary", {}, "How I understood it"), el("ul", {}, ...understood), el("p", { class: "quiet" }, `by ${data.path}, ${milliseconds} ms, ${data.llm_calls} calls of a model`)));
  if (["done", "partial", "failed", "refused"].includes(data.status)) {
    bubble.append(el("button", { type: "button", class: "plain why", on: { click: (event) => explain(data.id, event.target) } }, "Why?"));
  }
}

async function explain(id, button) {
  button.disabled = true;
  const { status, data } = await call(`/requests/${encodeURIComponent(id)}/why`);
  show(el("div", { class: "home story" }, el("p", {}, status === 200 ? data.text : fault(data))));
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const words = text.value.trim();
  if (!words) return;
  text.value = "";
  await say(words);
  text.focus();
});
for (const example of document.querySelectorAll(".example")) {
  example.addEventListener("click", () => {
    if (!text) return;
    text.value = example.textContent;
    text.focus();
  });
}
