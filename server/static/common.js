// What every page needs: calls to this server, elements, and a word to the reader.

const meta = (name) => document.querySelector(`meta[name="${name}"]`)?.content ?? "";
export const signedIn = meta("signed-in") === "yes";

/** Calls this server. Gives {status, data, headers}; data is the JSON, or the text of the answer. */
export async function call(path, { method = "GET", json, body, headers = {} } = {}) {
  const sent = { method, headers: { ...headers } };
  if (method !== "GET") sent.headers["X-CSRFToken"] = meta("csrf-token");
  if (json !== undefined) {
    sent.headers["Content-Type"] = "application/json";
    sent.body = JSON.stringify(json);
  } else if (body !== undefined) sent.body = body;
  const answer = await fetch(path, sent);
  const text = await answer.text();
  let data = text;
  if (/json/.test(answer.headers.get("content-type") ?? "")) data = JSON.parse(text);
  return { status: answer.status, data, headers: answer.headers };
}

/** An element with attributes, texts and other elements in it. Nothing is ever read as markup. */
export function el(tag, attributes = {}, ...content) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") for (const [event, call] of Object.entries(value)) made.addEventListener(event, call);
    else if (value !== false && value !== null) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...content.filter((one) => one !== null && one !== undefined));
  return made;
}

let timer;
/** Says something in passing. */
export function notice(text) {
  const place = document.getElementById("notice");
  place.textContent = text;
  clearTimeout(timer);
  timer = setTimeout(() => (place.textContent = ""), 6000);
}

/** What went wrong, in words. */
export const fault = (data) => (data && data.message ? [data.message, data.remedy].filter(Boolean).join(" ") : "That did not work.");

const known = new Map();
/** What IRIs are called: a map of all that were asked for. */
export async function names(iris) {
  const missing = [...new Set(iris)].filter((iri) => !known.has(iri));
  if (missing.length) {
    const { status, data } = await call("/names", { method: "POST", json: missing });
    if (status === 200) for (const [iri, name] of Object.entries(data)) known.set(iri, name);
  }
  return known;
}
