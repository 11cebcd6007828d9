import { open } from "../src/app/library/open.ts";
import type { Channel } from "../src/features/notifications/channel.ts";

/** A node with one destination that is dead: says how long after its start another was written to. */
const [store = "", how = ""] = process.argv.slice(2);

const bench: Channel = {
  name: "bench",
  send({ address }) {
    if (address === "alive") {
      process.stdout.write(`${performance.now() - began}\n`);
      return Promise.resolve({ result: "delivered", receipt: null });
    }
    if (how === "hangs") return new Promise(() => undefined);
    return Promise.resolve({ result: "retry", reason: "it is down", destinationDown: true });
  },
};
process.stdin.once("end", () => process.exit()).resume(); // the bench is gone
const daybook = await open({ store, channels: [bench] });
const began = performance.now();
process.stdout.write("starting\n");
await daybook.start();
