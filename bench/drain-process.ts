import { once } from "node:events";
import { postgres } from "../src/stores/postgres/postgres.ts";
import { drain } from "./work.ts";

/** One process of many that drain a database: says when it is ready, begins when it is told to. */
const [url = "", queue = ""] = process.argv.slice(2);
const ledger = await postgres({ url });
process.stdout.write("ready\n");
await once(process.stdin, "data");
const count = await drain(ledger, queue, `process-${process.pid}`);
process.stdout.write(`${count}\n`);
await ledger.close();
process.stdin.destroy();
