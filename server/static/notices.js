// What rules tell ("remind me …") pops up on whichever page is open. One page of a browser listens, and passes it on.

import { el } from "./common.js";

const PAUSE = 1000;
const MOST = 5;
const list = document.getElementById("notices");
const others = new BroadcastChannel("hearthgraph-notices");

function show({ text, at }) {
  const gone = el("button", { type: "button", class: "plain", "aria-label": `Dismiss: ${text}`, on: { click: () => shown.remove() } }, "Dismiss");
  const time = el("time", { datetime: at }, new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }));
  const shown = el("div", { class: "told" }, el("p", {}, text), time, gone);
  list.append(shown);
  while (list.children.length > MOST) list.firstElementChild.remove();
}

// The number of the last one that was heard, so that none is lost between two pages.
const HEARD = "hearthgraph-heard";

function listen() {
  const heard = localStorage.getItem(HEARD);
  const news = new EventSource(`/rules/notices${heard ? `?after=${encodeURIComponent(heard)}` : ""}`);
  news.addEventListener("listening", (event) => localStorage.setItem(HEARD, event.lastEventId));
  news.addEventListener("notice", (event) => {
    const told = JSON.parse(event.data);
    localStorage.setItem(HEARD, event.lastEventId);
    show(told);
    others.postMessage(told);
  });
}

others.addEventListener("message", (event) => show(event.data));
// Whoever only passes by opens no stream; where pages may not take turns, each listens for itself.
setTimeout(() => {
  if (navigator.locks) navigator.locks.request("hearthgraph-notices", () => new Promise(listen));
  else listen();
}, PAUSE);
