import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { makeEvent } from "../../features/events/kind.ts";
import { makeSource } from "../../features/events/source.ts";
import { systemClock } from "../../platform/clock.ts";
import { log } from "../../platform/log.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import { seededRandom } from "../../platform/random.ts";
import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/load.ts";
import { opening, openLedger } from "../stores.ts";
import { eventFacts } from "./event-facts.ts";
import { folderProblem } from "./installation-facts.ts";

const clock = systemClock();
const write = (): void => undefined;
const lines = log({ write, clock, level: "error", format: "json", color: false });
const platform: PlatformPorts = { clock, random: seededRandom(1), log: lines };

function place(t: TestContext, text: string): { folder: string; config: Config } {
  const folder = mkdtempSync(join(tmpdir(), "daybook-facts-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const readText = (path: string): string | undefined =>
    path === join(folder, "daybook.yaml") ? text : undefined;
  const parts = { env: { DAYBOOK_HOME: folder }, flags: {}, cwd: folder, isTerminal: false };
  return { folder, config: loadConfig({ ...parts, readText }).config };
}

const seen = (config: Config, channels: readonly string[] = []) =>
  eventFacts({ config, book: opening(config.store, platform), channels, folderProblem });

describe("what is seen of handlers and sources", () => {
  test("is where each handler speaks, and whether that is set up", async (t) => {
    const text = `
http: { publicUrl: https://book.example.org }
hooks: { shop: { kind: token, secret: a } }
handlers: { a: {}, b: { channel: "ntfy:x" }, c: { channel: C1 } }`;
    const { handlers, hooks, publicUrl } = await seen(place(t, text).config, ["ntfy"]);
    assert.deepEqual(handlers, [
      { name: "a", target: null, hasChannel: false },
      { name: "b", target: "ntfy:x", hasChannel: true },
      { name: "c", target: "slack:C1", hasChannel: false },
    ]);
    assert.deepEqual([hooks, publicUrl], [["shop"], "https://book.example.org"]);
  });
  test("is what a source failed of, and what nobody handles, in the book", async (t) => {
    const text = `
sources: { github: { token: a, owner: mina }, jira: { url: https://j.example, email: a@b, token: c } }
handlers: { h: { subscribes: [a.handled] } }`;
    const { config } = place(t, text);
    const ledger = await openLedger(config.store, platform);
    const failed = { cursor: null, failures: 2, reason: "GitHub said 401", polledAt: 1 };
    const github = { ...makeSource({ name: "github", everyMs: 60_000 }, "mina"), outcome: failed };
    await ledger.of("mina", "config").append(github);
    const jira = makeSource({ name: "jira", everyMs: 60_000 }, "me");
    await ledger
      .of("me", "config")
      .append({ ...jira, outcome: { ...failed, failures: 0, reason: null } });
    for (const type of ["a.b", "a.handled"]) {
      const about = { source: "x", repo: null, payload: {}, at: 1, origin: null, hops: 0 };
      const draft = makeEvent(
        { ...about, name: `evt-${type}`, type },
        { owner: "me", home: "me", now: 1 },
      );
      const { kind, body, id, key } = { id: "", key: undefined, ...draft };
      const outcome = { handler: null, task: null, reason: "discarded" };
      const known = key === undefined ? {} : { key };
      await ledger
        .of("me", "test")
        .append({ kind, body, id, ...known, ends: "completed", outcome });
    }
    await ledger.close();
    const { sources, unhandled } = await seen(config);
    assert.deepEqual(sources, [
      { name: "github", problem: "GitHub said 401", missingSettings: [] },
      { name: "jira", problem: null, missingSettings: [] },
    ]);
    assert.deepEqual(unhandled, ["a.b"]);
  });
  test("is that a folder is none, and that nobody hears Slack", async (t) => {
    const text = `
sources: { box: { kind: directory, folder: ./box }, new: { kind: directory, folder: ./new }, slack: {} }`;
    const { folder, config } = place(t, text);
    writeFileSync(join(folder, "box"), "no folder");
    const [box, fresh, slack] = (await seen(config)).sources;
    assert.match(box?.problem ?? "", /ENOTDIR/);
    assert.deepEqual([fresh?.problem, fresh?.missingSettings], [null, []]);
    assert.deepEqual([slack?.problem, slack?.missingSettings], [null, ["channels.slack.token"]]);
  });
  test("is nothing in a book that cannot be opened", async (t) => {
    const { config } = place(t, "store: sqlite:/dev/null/x\nsources: { github: { token: a } }");
    const { sources, unhandled } = await seen(config);
    assert.deepEqual(
      [sources, unhandled],
      [[{ name: "github", problem: null, missingSettings: [] }], []],
    );
  });
});
