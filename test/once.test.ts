import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, describe, test, type TestContext } from "node:test";
import { WebSocket } from "ws";
import { sampleSize } from "../src/testing/depth.ts";
import { postgresServer } from "../src/testing/postgres/server.ts";
import { child, folder, type Child } from "./child.ts";
import { bin } from "./walk-book.ts";

/** The arrival times by message id. */
type Arrivals = Map<string, number[]>;

function arrive(arrivals: Arrivals, id: string): void {
  arrivals.set(id, [...(arrivals.get(id) ?? []), Date.now()]);
}

/** A webhook receiver that accepts every request. */
async function hook(t: TestContext): Promise<{ url: string; host: string; arrivals: Arrivals }> {
  const arrivals: Arrivals = new Map();
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const { data } = JSON.parse(body.toString()) as { data: { id: string } };
      assert.equal(request.headers["webhook-id"], data.id);
      arrive(arrivals, data.id);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `http://${host}/hook`, host, arrivals };
}

interface Daemon {
  readonly process: Child;
  ask(method: string, path: string, body?: object): Promise<Record<string, unknown>>;
  /** Listens to the inbox and confirms every message. */
  attach(arrivals: Arrivals): Promise<void>;
}

async function start(t: TestContext, env: Readonly<Record<string, string>>): Promise<Daemon> {
  const process = child(t, bin, ["start"], env);
  await process.line(/is ready/);
  const home = env["DAYBOOK_HOME"] ?? "";
  const { url } = JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as { url: string };
  const authorization = `Bearer ${readFileSync(join(home, "token"), "utf8").trim()}`;
  return {
    process,
    async ask(method, path, body) {
      const headers = { authorization, "content-type": "application/json" };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(`${url}${path}`, { method, headers, ...sent });
      const answer = (await response.json()) as Record<string, unknown>;
      assert.ok(response.ok, JSON.stringify(answer));
      return answer;
    },
    async attach(arrivals) {
      const socket = new WebSocket(`${url.replace("http", "ws")}/v1/attach`, {
        headers: { authorization },
      });
      t.after(() => socket.terminate());
      socket.on("error", () => undefined); // the daemon was killed
      await new Promise<void>((resolve) => {
        socket.on("message", (data: Buffer) => {
          const frame = JSON.parse(data.toString()) as { type: string; id: string };
          if (frame.type === "hello") return resolve();
          arrive(arrivals, frame.id);
          socket.send(JSON.stringify({ type: "ack", id: frame.id }));
        });
      });
    },
  };
}

interface Asked {
  readonly id: string;
  readonly at: number;
}

/** A thousand messages, alternately to the webhook and the inbox, one per 10 ms. */
async function schedule(t: TestContext, daemon: Daemon, target: string): Promise<Asked[]> {
  const count = sampleSize(t, 1_000, { size: 100, of: "notifications" });
  const firstAt = Date.now() + 3_000 + 5 * count; // all are requested before the first is due
  const asked: Asked[] = [];
  for (let from = 0; from < count; from += 100) {
    const part = Array.from({ length: 100 }, async (_, n): Promise<Asked> => {
      const at = firstAt + 10 * (from + n);
      const body = { message: `m${from + n}`, at: new Date(at).toISOString() };
      const where = n % 2 === 0 ? { target } : {};
      const { id } = await daemon.ask("POST", "/v1/notifications", { ...body, ...where });
      return { id: String(id), at };
    });
    asked.push(...(await Promise.all(part)));
  }
  return asked;
}

/** Resolves when all have arrived. It does not poll before, which would disturb the measurement. */
async function arrived(asked: readonly Asked[], arrivals: Arrivals): Promise<void> {
  while (asked.some(({ id }) => !arrivals.has(id))) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function settled(
  daemon: Daemon,
  asked: readonly Asked[],
): Promise<Record<string, unknown>[]> {
  for (;;) {
    const found = await Promise.all(
      asked.map(({ id }) => daemon.ask("GET", `/v1/notifications/${id}`)),
    );
    const open = found.filter(({ state }) => state === "pending");
    if (open.length === 0) return found;
    await new Promise((resolve) => setTimeout(resolve, 200)); // polls until the state changes
  }
}

function lateness(t: TestContext, asked: readonly Asked[], arrivals: Arrivals): void {
  const late = asked.map(({ id, at }) => (arrivals.get(id)?.[0] ?? NaN) - at);
  assert.ok(
    late.every((ms) => ms >= 0),
    "one was early, or never came",
  );
  const sorted = late.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? NaN;
  t.diagnostic(`lateness p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, at most ${at(1)} ms`);
}

const server = await postgresServer({ fsync: true });
after(() => ("missing" in server ? undefined : server.stop()));
const noServer = "missing" in server ? server.missing : false;

type Store = [name: string, url: (home: string) => Promise<string>, skip: string | false];
const stores: readonly Store[] = [
  ["SQLite", async (home) => `sqlite:${join(home, "book.db")}`, false],
  ["PostgreSQL", async () => ("missing" in server ? "" : server.database()), noServer],
];

test(
  "a listener receives a reminder requested at another node",
  { timeout: 120_000 },
  async (t) => {
    const arrivals: Arrivals = new Map();
    const store = `sqlite:${join(folder(t), "book.db")}`;
    const [here, there] = await Promise.all(
      [folder(t), folder(t)].map((home) => start(t, { DAYBOOK_HOME: home, DAYBOOK_STORE: store })),
    );
    await there?.attach(arrivals);
    const made = await here?.ask("POST", "/v1/notifications", { message: "over there", at: "+1s" });
    await arrived([{ id: String(made?.["id"]), at: 0 }], arrivals);
  },
);

describe("a thousand notifications over ten seconds", { timeout: 240_000 }, () => {
  for (const [name, store, skip] of stores) {
    test(`${name}: each arrives once, none early`, { skip }, async (t) => {
      const { url, host, arrivals } = await hook(t);
      const home = folder(t);
      const env = { DAYBOOK_HOME: home, DAYBOOK_STORE: await store(home) };
      const daemon = await start(t, { ...env, DAYBOOK_WEBHOOK_ALLOW: host });
      await daemon.attach(arrivals);
      const { target } = await daemon.ask("POST", "/v1/webhooks", { url });
      const asked = await schedule(t, daemon, String(target));
      await arrived(asked, arrivals);
      const records = await settled(daemon, asked);
      assert.ok(records.every(({ state }) => state === "delivered"));
      for (const { id } of asked) assert.equal(arrivals.get(id)?.length, 1, id);
      lateness(t, asked, arrivals);
    });

    test(
      `${name}: killed in the middle, none is lost, and a repeat is told`,
      { skip },
      async (t) => {
        const { url, host, arrivals } = await hook(t);
        const home = folder(t);
        const common = { DAYBOOK_HOME: home, DAYBOOK_STORE: await store(home) };
        const env = { ...common, DAYBOOK_WEBHOOK_ALLOW: host, DAYBOOK_LEASE_SECONDS: "2" };
        const first = await start(t, env);
        await first.attach(arrivals);
        const { target } = await first.ask("POST", "/v1/webhooks", { url });
        const asked = await schedule(t, first, String(target));
        const half = asked[asked.length / 2]?.at ?? 0;
        await new Promise((resolve) => setTimeout(resolve, half - Date.now()));
        first.process.kill("SIGKILL");
        await first.process.ended;
        const second = await start(t, env);
        await second.attach(arrivals);
        await arrived(asked, arrivals);
        const records = await settled(second, asked);
        assert.ok(records.every(({ state }) => state === "delivered"));
        let repeats = 0;
        for (const { id, maybe_delivered: maybe } of records) {
          const times = arrivals.get(String(id))?.length ?? 0;
          assert.ok(times >= 1, `${String(id)} never came`);
          if (times === 1) continue;
          repeats += 1;
          assert.equal(maybe, true, `${String(id)} came ${times} times, and nobody knew`);
        }
        t.diagnostic(`${repeats} of ${asked.length} came twice, each told`);
      },
    );
  }
});
