import assert from "node:assert/strict";
import { once } from "node:events";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { test, type TestContext } from "node:test";
import { WebSocket } from "ws";
import { child, folder, type Child } from "./child.ts";
import { bin } from "./walk-book.ts";

interface Seat {
  /** Starts a daemon on the same book, on this desktop. */
  start(): Promise<Daemon>;
  /** The text of every pop-up so far. */
  readonly shown: readonly string[];
  /** Waits for this number of pop-ups. */
  count(least: number): Promise<void>;
}

interface Daemon extends Child {
  readonly url: string;
  readonly headers: { readonly authorization: string };
}

/** A desktop whose programs record the pop-ups they are asked to show. */
async function seat(t: TestContext): Promise<Seat> {
  const home = folder(t);
  const shown: string[] = [];
  const heard = new EventTarget();
  const bell = createServer((socket) => {
    createInterface(socket).on("line", (line) => {
      shown.push(String((JSON.parse(line) as string[]).at(-1)));
      heard.dispatchEvent(new Event("shown"));
      socket.end();
    });
  });
  bell.listen(0, "127.0.0.1");
  await once(bell, "listening");
  t.after(() => bell.close());
  const { port } = bell.address() as AddressInfo;
  for (const name of ["notify-send", "osascript"]) {
    const code = `#!${process.execPath}
      const socket = process.getBuiltinModule("net").connect(${port}, "127.0.0.1");
      socket.write(JSON.stringify(process.argv.slice(2)) + "\\n");
      socket.resume();`;
    writeFileSync(join(home, name), code);
    chmodSync(join(home, name), 0o755);
  }
  const config = join(home, "daybook.yaml");
  writeFileSync(config, "channels: { desktop: { inbox: [me] } }\n");
  const env = {
    DAYBOOK_HOME: home,
    DAYBOOK_CONFIG: config,
    PATH: `${home}${delimiter}${process.env["PATH"] ?? ""}`,
  };
  return {
    shown,
    async start() {
      const running = child(t, bin, ["start"], env);
      await running.line(/is ready/);
      const { url } = JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as Daemon;
      const token = readFileSync(join(home, "token"), "utf8").trim();
      return { ...running, url, headers: { authorization: `Bearer ${token}` } };
    },
    async count(least) {
      while (shown.length < least) await once(heard, "shown");
    },
  };
}

async function ask({ url, headers }: Daemon, message: string): Promise<string> {
  const answer = await fetch(`${url}/v1/notifications`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ message, at: "+1s", target: "inbox:me" }),
  });
  assert.equal(answer.status, 201);
  const { id, listening } = (await answer.json()) as { id: string; listening?: boolean };
  assert.equal(listening, undefined, "it pops up, so somebody receives it");
  return id;
}

async function stateOf({ url, headers }: Daemon, id: string): Promise<string> {
  const answer = await fetch(`${url}/v1/notifications/${id}`, { headers });
  return ((await answer.json()) as { state: string }).state;
}

/** Confirms every message, and returns the texts when this number has arrived. */
async function readAll({ url, headers }: Daemon, count: number): Promise<readonly string[]> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/v1/attach`, { headers });
  const texts: string[] = [];
  const { promise: all, resolve } = Promise.withResolvers<void>();
  socket.on("message", (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as { type: string; id: string; message: string };
    if (frame.type !== "message") return;
    texts.push(frame.message);
    socket.send(JSON.stringify({ type: "ack", id: frame.id }));
    if (texts.length === count) resolve();
  });
  await all;
  socket.close();
  await once(socket, "close");
  return texts;
}

test(
  "an inbox message pops up once, over restarts, and stays unread until it is read",
  { timeout: 60_000 },
  async (t) => {
    const fixture = await seat(t);
    const first = await fixture.start();
    const one = await ask(first, "one");
    await fixture.count(1);
    assert.equal(await stateOf(first, one), "pending");
    first.kill("SIGTERM");
    assert.equal(await first.ended, 0);

    const second = await fixture.start();
    const two = await ask(second, "two");
    await fixture.count(2);
    assert.deepEqual(fixture.shown, ["one", "two"]);
    assert.deepEqual((await readAll(second, 2)).toSorted(), ["one", "two"]);
    second.kill("SIGTERM"); // the confirmed messages are recorded by then
    assert.equal(await second.ended, 0);

    const third = await fixture.start();
    assert.equal(await stateOf(third, one), "delivered");
    assert.equal(await stateOf(third, two), "delivered");
    await ask(third, "three");
    await fixture.count(3);
    assert.deepEqual(fixture.shown, ["one", "two", "three"]);
  },
);
