import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { httpFixture, type HttpFixture } from "../../../test/http-fixture.ts";
import { inputs, madeOfEveryKind, nobody } from "../../../test/http-records.ts";
import { table } from "../../features/index.ts";
import type { Operation } from "../../kernel/operation.ts";
import { log } from "../../platform/log.ts";
import { routeOf } from "../http/route.ts";
import { mcpHandler, type McpHandler } from "./http.ts";
import { isOffered } from "./tool.ts";

const tools = table.filter((each) => isOffered(each, "all"));
const versionNegotiation = { mode: { pin: "2026-07-28" } };

/** `/mcp` on a server that checks tokens, over a book with records of mina. */
async function fixture(t: TestContext): Promise<{
  at: HttpFixture;
  foreign: readonly string[];
  connect(token: string): Promise<Client>;
}> {
  let handler: McpHandler | undefined;
  const at: HttpFixture = await httpFixture(t, {
    operations: table,
    mcp: (request, caller) => handler?.handle(request, caller) ?? assert.fail(),
  });
  const { installation, clock } = at;
  const quiet = log({
    write: (line) => at.lines.push(line),
    clock,
    level: "error",
    format: "json",
    color: false,
  });
  handler = mcpHandler({ installation, operations: table, version: "1.2.3", log: quiet, clock });
  t.after(() => handler?.stop());
  return {
    at,
    foreign: await madeOfEveryKind(at),
    async connect(token) {
      const client = new Client({ name: token, version: "1" }, { versionNegotiation });
      const url = new URL(`${at.url}/mcp?tools=all`);
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
      t.after(() => client.close());
      return client;
    },
  };
}

interface Result {
  readonly isError: boolean;
  /** As JSON, without the id that was asked for. */
  readonly text: string;
}

async function call(client: Client, operation: Operation, id: string): Promise<Result> {
  const named = routeOf(operation).params.map((name) => [name, id]);
  const given = { ...(inputs[operation.name] as object), ...Object.fromEntries(named) };
  const { isError = false, ...rest } = await client.callTool({
    name: operation.name,
    arguments: given,
  });
  return { isError, text: JSON.stringify(rest).replaceAll(id, "ID") };
}

const historyOf = ({ ledger }: HttpFixture) => ledger.of("mina", "x").changes({ limit: 500 });

describe("`/mcp` has a test of owners and scopes from outside: every tool × {no token, read-only, another owner}", () => {
  test("each tool is closed to no token and to a wrong one", async (t) => {
    const { at } = await fixture(t);
    const before = await historyOf(at);
    for (const { name } of tools) {
      const params = { name, arguments: inputs[name] ?? {} };
      const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
      const status = async (token: string | null): Promise<number> =>
        (await at.ask("/mcp?tools=all", { method: "POST", token, body })).status;
      const wrong = await status("wrong");
      assert.deepEqual([name, await status(null), [401, 429].includes(wrong)], [name, 401, true]);
    }
    assert.deepEqual(await historyOf(at), before);
  });

  test("each tool that changes something is closed to a read-only token, which is not shown it", async (t) => {
    const { at, foreign, connect } = await fixture(t);
    const client = await connect("mina-reads");
    const shown = (await client.listTools()).tools.map(({ name }) => name);
    const before = await historyOf(at);
    const [own = ""] = foreign;
    for (const operation of tools) {
      const { name, scope } = operation;
      const { isError, text } = await call(client, operation, own);
      const isRefused = isError && text.includes("it needs the scope");
      assert.deepEqual(
        [name, shown.includes(name), isRefused],
        [name, scope === "read", scope !== "read"],
        text,
      );
    }
    assert.deepEqual(await historyOf(at), before);
  });

  test("no tool tells another owner's record from one that never was, or shows a word of it", async (t) => {
    const { at, foreign, connect } = await fixture(t);
    const client = await connect("jun");
    const before = await historyOf(at);
    // What is put under an id of one's own choice is made when it is not there, in one's own book.
    const [put = assert.fail(), others] = [
      tools.find(({ name }) => name === "put_page"),
      tools.filter(({ name }) => name !== "put_page"),
    ];
    for (const operation of others) {
      const unknown = await call(client, operation, nobody);
      const isNamed = routeOf(operation).params.length > 0;
      if (isNamed) assert.ok(unknown.isError, `${operation.name}: ${unknown.text}`);
      for (const id of isNamed ? foreign : []) {
        assert.deepEqual(
          [operation.name, await call(client, operation, id)],
          [operation.name, unknown],
        );
      }
      for (const secret of ["secret", ...foreign.filter((id) => id !== "trip")]) {
        assert.ok(!unknown.text.includes(secret), `${operation.name}: ${unknown.text}`);
      }
    }
    for (const id of foreign) assert.ok(!(await call(client, put, id)).text.includes("secret"));
    assert.deepEqual(await historyOf(at), before);
    assert.deepEqual(
      at.lines.filter((line) => line.includes("tool failed")),
      [],
    );
  });
});
