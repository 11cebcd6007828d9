import { open } from "../src/app/library/open.ts";
import { walkChannel, type Mode } from "./walk-channel.ts";

/** A daemon whose channel tells the test what it does. */
const [mode, store = ""] = process.argv.slice(2);

const channel = walkChannel(mode as Mode, console.log);
const book = await open({ store, channels: [channel], leaseSeconds: 1, log: console.error });
process.once("SIGTERM", () => void book.close());
await book.start();
console.log("ready");
