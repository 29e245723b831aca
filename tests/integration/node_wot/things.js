// Serves the things in the JSON file that the first argument names; says on standard output where, and what is done.
const { readFileSync } = require("fs");
const { Servient } = require("@node-wot/core");
const { HttpServer } = require("@node-wot/binding-http");

const say = (told) => process.stdout.write(JSON.stringify(told) + "\n");

async function serve(wot, described) {
  const { state, ...description } = described;
  const thing = await wot.produce(description);
  for (const name of Object.keys(description.properties ?? {})) {
    thing.setPropertyReadHandler(name, async () => state[name]);
    if (description.properties[name].readOnly) continue;
    thing.setPropertyWriteHandler(name, async (given) => {
      state[name] = await given.value();
      say({ thing: description.title, write: name, value: state[name] });
      thing.emitPropertyChange(name);
    });
  }
  for (const name of Object.keys(description.actions ?? {})) {
    thing.setActionHandler(name, async (given) => {
      let input = null;
      try { input = (await given.value()) ?? null; } catch { /* nothing was sent */ }
      say({ thing: description.title, invoke: name, input });
    });
  }
  await thing.expose();
  say({ description: thing.getThingDescription() });
}

(async () => {
  const servient = new Servient();
  servient.addServer(new HttpServer({ port: Number(process.argv[3]) }));
  const wot = await servient.start();
  for (const one of JSON.parse(readFileSync(process.argv[2], "utf-8"))) await serve(wot, one);
  say({ ready: true });
})();
