// The SPARQL editor: YASGUI on this server's endpoint, completing from this graph, calling nobody else.

import { call, el, fault, notice } from "./common.js";

const holder = document.getElementById("yasgui");
const endpoint = new URL(holder.dataset.endpoint, location.href).href;
const { data: completions } = await call("/query/completions.json");

// The editor's own completers ask prefix.cc and Linked Open Vocabularies: these have what they know from this server.
const Yasqe = Yasgui.Yasqe;
const iris = (cls) => completions.terms.filter((term) => term.class === cls).map((term) => term.iri);
const here = (from, get) => Yasqe.forkAutocompleter(from, { name: `${from}-here`, bulk: true, persistenceId: null, get }, true);
Yasqe.defaults.autocompleters = ["variables"];
here("prefixes", () => Object.entries(completions.prefixes).map(([prefix, iri]) => `${prefix}: <${iri}>`));
here("class", () => iris(true));
here("property", () => iris(false));

const START = `PREFIX hg: <${completions.prefixes.hg}>
PREFIX td: <${completions.prefixes.td}>
SELECT ?device ?value WHERE {
  ?device a td:Thing ; td:hasPropertyAffordance ?property .
  GRAPH <${completions.prefixes.hg}graph/state> { ?property hg:value ?value }
}
LIMIT 20`;

const yasgui = new Yasgui(holder, {
  requestConfig: { endpoint, method: "POST", headers: () => ({}) },
  copyEndpointOnNewTab: true,
  endpointCatalogueOptions: { getData: () => [{ endpoint }] },
  persistenceId: null,
  autofocus: true,
  yasqe: { value: START, createShareableLink: null, persistenceId: null },
  yasr: { prefixes: completions.prefixes, persistenceId: null },
});
const tab = () => yasgui.getTab();
if (!tab().getQuery().includes("hg:")) tab().setQuery(START);

/** Says to assistive technology what the editor leaves unsaid. */
function name() {
  for (const area of holder.querySelectorAll(".CodeMirror textarea")) area.setAttribute("aria-label", "SPARQL query");
  for (const button of holder.querySelectorAll(".tabsList button")) button.setAttribute("role", "tab");
  for (const size of holder.querySelectorAll("select.tableSizer")) size.setAttribute("aria-label", "Rows a page");
}
new MutationObserver(name).observe(holder, { childList: true, subtree: true });
name();

document.getElementById("example").addEventListener("change", (event) => {
  if (event.target.value) tab().setQuery(event.target.value);
});

yasgui.on("queryResponse", (_, shown) => {
  document.getElementById("after").hidden = false;
  const age = shown.yasr?.results?.getOriginalResponse?.()?.headers?.get?.("hearthgraph-data-age");
  document.getElementById("age").textContent = age ? `as of ${age} seconds ago` : "";
});

async function results(accept) {
  const body = new URLSearchParams({ query: tab().getQuery() });
  return call(endpoint, { method: "POST", body, headers: { Accept: accept } });
}

document.getElementById("csv").addEventListener("click", async () => {
  const { status, data } = await results("text/csv");
  if (status !== 200) return notice(fault(data));
  const address = URL.createObjectURL(new Blob([data], { type: "text/csv" }));
  el("a", { href: address, download: "result.csv" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
});

document.getElementById("draw").addEventListener("click", async () => {
  const { status, data } = await results("application/sparql-results+json");
  if (status !== 200) return notice(fault(data));
  const rows = data.results?.bindings ?? [];
  const variables = data.head.vars ?? [];
  const number = variables.find((name) => rows.some((row) => row[name] && row[name].value !== "" && !Number.isNaN(Number(row[name].value))));
  const label = variables.find((name) => name !== number);
  if (!number) return notice("There is no column of numbers to draw.");
  const found = rows.filter((row) => row[number]).slice(0, 40).map((row) => [row[label]?.value.split(/[#/]/).pop() ?? "", Number(row[number].value)]);
  const most = Math.max(...found.map(([, value]) => Math.abs(value)), 1e-9);
  const bars = found.map(([name, value]) => el("div", { class: "bar" }, el("span", {}, `${name}: ${value}`), el("progress", { max: most, value: Math.abs(value), "aria-label": `${name}: ${value}` })));
  document.getElementById("caption").textContent = `${number} by ${label ?? "row"}`;
  const chart = document.getElementById("chart");
  chart.replaceChildren(document.getElementById("caption") ?? el("figcaption"), ...bars);
  chart.hidden = false;
});
