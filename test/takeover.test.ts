import assert from "node:assert/strict";
import { once } from "node:events";
import { writeSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { open } from "../src/app/library/open.ts";
import type { Channel } from "../src/features/notifications/channel.ts";
import { processIdentity } from "../src/platform/process-identity.ts";
import { postgresServer } from "../src/testing/postgres/server.ts";
import { child, folder, type Child } from "./child.ts";

/** Nobody waits that long in a test. */
const leaseSeconds = 6 * 3_600;

/** A real node, which prints what it sends; with `stuck`, no send ends. */
async function runNode(store: string, pace: string): Promise<void> {
  const probe: Channel = {
    name: "probe",
    async send({ id, maybeRepeat }) {
      writeSync(1, `send ${id} ${maybeRepeat}\n`);
      if (pace === "stuck") await new Promise(() => undefined);
      return { result: "delivered", receipt: id };
    },
  };
  const daybook = await open({ store, channels: [probe], leaseSeconds });
  await daybook.start();
  const { id } = await daybook.remind({ message: "hi", at: "now", target: "probe:1", key: "k" });
  writeSync(1, `asked ${id}\n`);
  for (;;) {
    const { state } = await daybook.show({ id });
    if (state === "delivered") writeSync(1, "delivered\n");
    if (state === "delivered") break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await once(process, "SIGTERM");
}

async function tests(): Promise<void> {
  const server = await postgresServer();
  after(() => ("missing" in server ? undefined : server.stop()));
  const noIdentity = processIdentity() === undefined ? "there is no /proc here" : false;
  const stores: readonly [name: string, skip: string | false, url: (at: string) => unknown][] = [
    ["SQLite", noIdentity, (at) => `sqlite:${join(at, "book.db")}`],
    [
      "PostgreSQL",
      "missing" in server ? server.missing : noIdentity,
      () => ("missing" in server ? assert.fail(server.missing) : server.database()),
    ],
  ];
  for (const [name, skip, urlAt] of stores) {
    const options = { skip, timeout: 120_000 };
    test(
      `after a crash on a single node nobody should wait out a lease, on ${name}: kill -9, and a lease of six hours`,
      options,
      async (t) => {
        const url = String(await urlAt(folder(t)));
        const run = (pace: string): Child => child(t, import.meta.filename, ["node", url, pace]);
        const killed = run("stuck");
        await killed.line(/^send .* false$/);
        const neighbour = run("quick");
        await neighbour.line(/^asked/);
        killed.kill("SIGKILL");
        await killed.ended;
        const next = run("quick");
        // The neighbour runs already: whoever is faster sends it.
        await Promise.any([next.line(/^delivered/), neighbour.line(/^delivered/)]);
        const sends = [...next.lines, ...neighbour.lines].filter((line) => line.startsWith("send"));
        assert.equal(sends.length, 1, "the neighbour took nothing from a process that lived");
        assert.match(sends[0] ?? "", / true$/, "it may be a repeat");
      },
    );
  }
}

const [, , mode, store = "", pace = ""] = process.argv;
if (mode === "node") await runNode(store, pace);
else await tests();
