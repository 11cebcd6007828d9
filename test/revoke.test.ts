import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { WebSocket } from "ws";
import { child, folder } from "./child.ts";
import { bin } from "./walk-book.ts";

interface Place {
  readonly url: string;
  /** The token of the home. */
  readonly token: string;
  /** The session of a browser that opened the daemon's link. */
  readonly cookie: string;
}

async function place(t: TestContext): Promise<Place> {
  const home = folder(t);
  const running = child(t, bin, ["start"], { DAYBOOK_HOME: home });
  const [link = ""] = /http\S+\/login\S+/.exec(await running.line(/\/login\?code=/)) ?? [];
  await running.line(/is ready/);
  const { url } = JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as { url: string };
  const page = await fetch(link);
  const [cookie = ""] = (page.headers.get("set-cookie") ?? "").split(";");
  assert.match(cookie, /^daybook_session=./);
  return { url, token: readFileSync(join(home, "token"), "utf8").trim(), cookie };
}

async function ask(url: string, headers: Record<string, string>, init: RequestInit = {}) {
  const type = { "content-type": "application/json" };
  const answer = await fetch(url, { ...init, headers: { ...type, ...headers } });
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test("a revoked token's requests, agent and listener end", { timeout: 120_000 }, async (t) => {
  const { url, token: root } = await place(t);
  const made = await ask(`${url}/v1/tokens`, bearer(root), {
    method: "POST",
    body: JSON.stringify({ name: "laptop" }),
  });
  const { id, token } = made.json as { id: string; token: string };
  const requestInit = { headers: bearer(token) };
  const agent = new Client({ name: "test", version: "1" });
  t.after(() => agent.close());
  await agent.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  const socket = new WebSocket(`${url.replace("http", "ws")}/v1/attach`, requestInit);
  t.after(() => socket.terminate());
  await once(socket, "message");
  await agent.listTools();

  const closed = once(socket, "close");
  await ask(`${url}/v1/tokens/${id}`, bearer(root), { method: "DELETE" });
  assert.equal((await ask(`${url}/v1/whoami`, bearer(token))).status, 401);
  await assert.rejects(agent.callTool({ name: "list_notifications", arguments: {} }));
  const [code] = (await closed) as [number];
  assert.equal(code, 1008);
});

test("a revoked home token ends the browser session of the daemon's link", async (t) => {
  const { url, token, cookie } = await place(t);
  assert.equal((await ask(`${url}/v1/whoami`, { cookie })).status, 200);
  const { json } = await ask(`${url}/v1/tokens`, bearer(token));
  const [home] = json["tokens"] as { id: string }[];
  await ask(`${url}/v1/tokens/${home?.id}`, bearer(token), { method: "DELETE" });
  assert.equal((await ask(`${url}/v1/whoami`, { cookie })).status, 401);
});
