import { once } from "node:events";
import { postgres } from "../src/stores/postgres/postgres.ts";
import { startNagger } from "./nags-node.ts";

/** One node of two: says when it is ready, begins when it is told to, and tells how many more it has settled. */
const [url = ""] = process.argv.slice(2);
const ledger = await postgres({ url });
let untold = 0;
const tell = (): void => {
  if (untold > 0) process.stdout.write(`${untold}\n`);
  untold = 0;
};
process.stdout.write("ready\n");
await once(process.stdin, "data");
await startNagger(ledger, `process-${process.pid}`, () => {
  untold += 1;
  if (untold === 1) setImmediate(tell);
});
