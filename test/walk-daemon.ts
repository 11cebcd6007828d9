import type { Channel } from "../src/channels/channel.ts";
import { open } from "../src/open.ts";

/**
 * A daemon whose channel tells the test what it does. `hang`: a send never comes back. `finish`: it
 * comes back when it is told to stop. `deliver`: at once.
 */
const [mode, store = ""] = process.argv.slice(2);

const channel: Channel = {
  name: "stdout",
  async send({ id, maybeRepeat }, signal) {
    console.log(`sending ${id} maybeRepeat=${maybeRepeat}`);
    if (mode === "hang") await new Promise(() => undefined);
    if (mode === "finish")
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return { result: "delivered", receipt: { mode: mode ?? "" } };
  },
};
const book = await open({ store, channels: [channel], leaseMs: 1_000, log: console.error });
process.once("SIGTERM", () => void book.close());
await book.start();
console.log("ready");
