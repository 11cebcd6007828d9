import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import {
  Client,
  StreamableHTTPClientTransport,
  type CallToolResult,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { open } from "../src/app/library/open.ts";
import { operations, table } from "../src/features/index.ts";
import { child, folder, type Child } from "./child.ts";
import { type } from "./terminal.ts";
import { bin } from "./walk-book.ts";

/** A daemon over its own book, and a client for each interface. */
interface Faces {
  readonly home: string;
  cli(...args: string[]): Child;
  http(method: string, path: string, body?: object): Promise<Record<string, unknown>>;
  mcp(): Promise<Client>;
}

async function faces(t: TestContext): Promise<Faces> {
  const home = folder(t);
  const env = { DAYBOOK_HOME: home, DAYBOOK_TIMEZONE: "Asia/Seoul" };
  await child(t, bin, ["start"], env).line(/is ready/);
  const { url } = JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as { url: string };
  const token = readFileSync(join(home, "token"), "utf8").trim();
  const authorization = `Bearer ${token}`;
  return {
    home,
    cli: (...args) => child(t, bin, args, env),
    async http(method, path, body) {
      const headers = { authorization, "content-type": "application/json" };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(`${url}${path}`, { method, headers, ...sent });
      return (await response.json()) as Record<string, unknown>;
    },
    async mcp() {
      const client = new Client({ name: "test", version: "1" });
      const requestInit = { headers: { authorization } };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }),
      );
      t.after(() => client.close());
      return client;
    },
  };
}

async function stdio(t: TestContext, home: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const env = { ...process.env, DAYBOOK_HOME: home } as Record<string, string>;
  const args = [bin, "mcp", "--tools", "all"];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  t.after(() => client.close());
  return client;
}

async function call(client: Client, name: string, input: object): Promise<CallToolResult> {
  const asked = { name, arguments: input as Record<string, unknown> };
  return client.callTool(asked);
}

/** The first steps of an agent with a book. */
async function agentWalk(client: Client): Promise<void> {
  const made = await call(client, "schedule_notification", { message: "tea", at: "in 2 hours" });
  const { id, revision } = made.structuredContent as { id: string; revision: number };
  const listed = await call(client, "list_notifications", {});
  assert.match(JSON.stringify(listed.structuredContent), new RegExp(id));
  const moved = await call(client, "update_notification", { id, at: "in 3 hours", revision });
  assert.equal(moved.isError ?? false, false, JSON.stringify(moved.content));
  const cancelled = await call(client, "cancel_notification", { id, reason: "no tea" });
  assert.match(JSON.stringify(cancelled.structuredContent), /"result":"cancelled"/);
}

describe("every interface", { timeout: 300_000 }, () => {
  test("offers every operation", async (t) => {
    const at = await faces(t);
    const { paths } = await at.http("GET", "/openapi.json");
    const { tools } = await (await stdio(t, at.home)).listTools();
    const offered = tools.map(({ name }) => name);
    for (const { name, route, command, tool } of table) {
      const path = (paths as Record<string, Record<string, unknown>>)[route.path];
      assert.ok(path?.[route.method.toLowerCase()], `${name} is not in the HTTP API`);
      const help = await type(["help", ...command.name.split(" ")]);
      assert.equal(help.exit, 0, `${command.name} cannot be typed`);
      assert.equal(offered.includes(name), tool !== "never", `${name} as a tool`);
    }
    assert.equal(await at.cli("help", "remind").ended, 0);
    const book = await open({ store: "memory:" });
    for (const name of Object.keys(operations)) assert.ok(name in book, `${name} as a method`);
    await book.close();
  });

  test("refuses the same input with the same error, and writes nothing", async (t) => {
    const at = await faces(t);
    const client = await at.mcp();
    const bad: readonly object[] = [
      { message: "x", at: "some day" },
      { message: "x", at: "+1m", timezone: "Mars/Base" },
      { message: "x", at: "+1h", expires_at: "+1m" },
      { message: "x".repeat(30_000), at: "+1m" },
      { message: "x", at: "+1m", target: "nowhere:1" },
      { message: "x", at: "+1m", target: "webhook:none" },
      { message: "x", at: "+1m", mesage: "y" },
      { at: "yesterday 9am", message: "x" },
      { at: "+1m" },
    ];
    const book = await open({ store: "memory:", timezone: "Asia/Seoul" });
    for (const input of bad) {
      const { detail } = await at.http("POST", "/v1/notifications", input);
      assert.equal(typeof detail, "string", JSON.stringify(input).slice(0, 100));
      const told = await call(client, "schedule_notification", input);
      assert.equal(told.isError, true);
      const [said] = told.content as { text: string }[];
      assert.equal(said?.text, detail);
      if (!("target" in input)) {
        await assert.rejects(book.remind(input as never), { message: String(detail) });
      }
    }
    await book.close();
    const { notifications } = await at.http("GET", "/v1/notifications?all=true");
    const asked = (notifications as { type: string }[]).filter(({ type }) => type !== "notice");
    assert.deepEqual(asked, []);
    const typed = at.cli("remind", "x", "--at", "some day");
    assert.equal(await typed.ended, 2);
    const { detail } = await at.http("POST", "/v1/notifications", bad[0]);
    assert.deepEqual(typed.lines, [`daybook: ${String(detail)}`]);
  });

  test("serves an agent, over HTTP and over stdio", async (t) => {
    const at = await faces(t);
    await agentWalk(await at.mcp());
    await agentWalk(await stdio(t, at.home));
  });
});
