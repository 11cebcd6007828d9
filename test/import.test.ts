import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { WebSocket } from "ws";
import { child, folder } from "./child.ts";
import { bin } from "./walk-book.ts";

interface Frame {
  readonly type: string;
  readonly id: string;
  readonly message: string;
}

interface Ear {
  /** Waits for the next message. */
  next(): Promise<Frame>;
  ack(id: string): void;
}

async function listen(t: TestContext, url: string, token: string): Promise<Ear> {
  const headers = { authorization: `Bearer ${token}` };
  const socket = new WebSocket(url.replace("http", "ws"), { headers });
  t.after(() => socket.terminate());
  const frames: Frame[] = [];
  const heard = new EventTarget();
  socket.on("message", (data: Buffer) => {
    frames.push(JSON.parse(data.toString()) as Frame);
    heard.dispatchEvent(new Event("frame"));
  });
  const take = async (): Promise<Frame> => {
    while (frames.length === 0) await once(heard, "frame");
    return frames.shift() ?? take();
  };
  assert.equal((await take()).type, "hello");
  return { next: take, ack: (id) => socket.send(JSON.stringify({ type: "ack", id })) };
}

test(
  "an imported message goes to every listener of its owner, with one receipt",
  { timeout: 60_000 },
  async (t) => {
    const home = folder(t);
    const env = { DAYBOOK_HOME: home };
    const file = join(home, "notifications.json");
    const row = { id: "n_1", message: "from before", scheduled_at: "2026-01-01T09:00:00" };
    writeFileSync(file, JSON.stringify({ version: "1.0", notifications: [row] }));
    const typed = child(t, bin, ["import", file, "--json"], env);
    assert.equal(await typed.ended, 0, typed.lines.join("\n"));
    assert.match(typed.lines[0] ?? "", /"imported":1/);

    await child(t, bin, ["start"], env).line(/is ready/);
    const { url } = JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as { url: string };
    const token = readFileSync(join(home, "token"), "utf8").trim();
    const again = child(t, bin, ["import", file], env);
    assert.equal(await again.ended, 0);
    assert.match(again.lines[0] ?? "", /^Imported 0; imported before: 1/);

    const ear = await listen(t, `${url}/v1/attach?session=desk`, token);
    const first = await ear.next();
    assert.equal(first.message, "from before");
    ear.ack(first.id);

    writeFileSync(file, JSON.stringify([{ ...row, id: "n_2", message: "another" }]));
    const inbox = await listen(t, `${url}/v1/attach`, token);
    await child(t, bin, ["import", file], env).ended;
    const [one, two] = await Promise.all([ear.next(), inbox.next()]);
    assert.deepEqual([one.message, one.id], ["another", two.id]);
    inbox.ack(two.id);

    const headers = { authorization: `Bearer ${token}` };
    const shown = async (id: string): Promise<{ state: string; receipt: unknown }> => {
      const answer = await fetch(`${url}/v1/notifications/${id}`, { headers });
      const view = (await answer.json()) as { state: string; receipt: unknown };
      return view.state === "pending" ? shown(id) : view; // polls until the state changes
    };
    const [before, after] = [await shown(first.id), await shown(one.id)];
    assert.deepEqual([before.state, after.state], ["delivered", "delivered"]);
    assert.match(JSON.stringify(before.receipt), /"session":"\w+-1"/);
    assert.match(JSON.stringify(after.receipt), /"session":"\w+-2"/);
  },
);
