// Consumes the thing at the address in the first argument with the token in the second: reads, observes, writes, invokes.
const { Servient } = require("@node-wot/core");
const { HttpClientFactory } = require("@node-wot/binding-http");

const say = (told) => process.stdout.write(JSON.stringify(told) + "\n");

(async () => {
  const [address, token, ...steps] = process.argv.slice(2);
  const servient = new Servient();
  servient.addClientFactory(new HttpClientFactory());
  const wot = await servient.start();
  const description = await (await fetch(address, { headers: { Accept: "application/td+json" } })).json();
  servient.retrieveCredentials = () => ({ token }); // its own gives a list, of which its client for HTTP makes nothing
  const thing = await wot.consume(description);
  for (const step of steps) {
    const [what, name, value] = JSON.parse(step);
    if (what === "read") say({ read: name, value: await (await thing.readProperty(name)).value() });
    if (what === "write") { await thing.writeProperty(name, value); say({ written: name }); }
    if (what === "invoke") { await thing.invokeAction(name, value); say({ invoked: name }); }
    if (what === "observe") {
      await thing.observeProperty(name, async (news) => say({ observed: name, value: await news.value() }));
      say({ observing: name });
    }
    if (what === "wait") await new Promise((go) => setTimeout(go, name));
  }
  process.exit(0);
})().catch((error) => { say({ failed: String(error) }); process.exit(1); });
