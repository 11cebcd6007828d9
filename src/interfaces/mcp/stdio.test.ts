import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { PassThrough } from "node:stream";
import { describe, test, type TestContext } from "node:test";
import { Client, type CallToolResult, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { table } from "../../features/index.ts";
import { channelNames } from "../../features/notifications/ports.ts";
import { portsFrom, provide } from "../../kernel/port.ts";
import { systemClock } from "../../platform/clock.ts";
import { ids } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import { systemRandom } from "../../platform/random.ts";
import { memory } from "../../stores/memory/memory.ts";
import { serveStdio, type StdioOptions } from "./stdio.ts";

const clock = systemClock();

function optionsFor(write: (line: string) => void): Omit<StdioOptions, "input" | "output"> {
  return {
    installation: {
      ledger: memory({ now: clock.wall, ids: ids(clock, systemRandom()) }),
      readProfile: () =>
        Promise.resolve({
          zone: "Asia/Seoul",
          zoneFrom: "setting",
          language: "en",
          home: null,
          quiet: null,
        }),
      ...portsFrom([provide(channelNames, () => ["inbox"])]),
      now: clock.wall,
      randomBytes,
    },
    operations: table,
    version: "1.2.3",
    toolSet: "default",
    log: log({ write, clock, level: "debug", format: "json", color: false }),
    caller: { owner: "mina", by: "mina-agent", scopes: ["read", "write"], origin: null },
  };
}

/** With the argument `serve`, this file is the server process of the tests. */
if (process.argv[2] === "serve") {
  const { stdin, stdout, stderr } = process;
  const options = optionsFor((line) => void stderr.write(line));
  const { closed } = serveStdio({ ...options, input: stdin, output: stdout });
  await closed;
} else {
  describe("over stdio", tests);
}

async function connect(t: TestContext, options: ClientOptions): Promise<Client> {
  const client = new Client({ name: "test", version: "0" }, options);
  const args = [import.meta.filename, "serve"];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  t.after(() => client.close());
  return client;
}

type Data = Record<string, unknown>;

async function call(client: Client, name: string, args: Data): Promise<Data> {
  const result: CallToolResult = await client.callTool({ name, arguments: args });
  assert.equal(result.isError, undefined, JSON.stringify(result.content));
  return result.structuredContent as Data;
}

async function listed(client: Client): Promise<unknown[]> {
  const { notifications } = await call(client, "list_notifications", {});
  return (notifications as Data[]).map(({ id, message }) => [id, message]);
}

function tests(): void {
  const eras: [name: string, options: ClientOptions, version: RegExp][] = [
    ["2025", {}, /^2025-/],
    ["2026", { versionNegotiation: { mode: { pin: "2026-07-28" } } }, /^2026-07-28$/],
  ];
  for (const [name, options, version] of eras) {
    test(`a client of ${name} schedules, lists, updates and cancels`, async (t) => {
      const client = await connect(t, options);
      assert.match(client.getNegotiatedProtocolVersion() ?? "", version);
      assert.deepEqual(client.getServerVersion(), { name: "daybook", version: "1.2.3" });
      const { tools } = await client.listTools();
      const offered = table.filter(({ tool }) => tool === "always").map((each) => each.name);
      assert.deepEqual(
        tools.map((tool) => tool.name),
        offered,
      );
      const input = { message: "stand-up", at: "tomorrow 9am" };
      const { id } = await call(client, "schedule_notification", input);
      assert.deepEqual(await listed(client), [[id, "stand-up"]]);
      await call(client, "update_notification", { id, message: "sit-down" });
      assert.deepEqual(await listed(client), [[id, "sit-down"]]);
      await call(client, "cancel_notification", { id });
      assert.deepEqual(await listed(client), []);
    });
  }

  test("the output has only the protocol, even after invalid input", async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const logged: string[] = [];
    const written: string[] = [];
    output.setEncoding("utf8").on("data", (text: string) => void written.push(text));
    const options = optionsFor((line) => void logged.push(line));
    const connection = serveStdio({ ...options, input, output });
    input.write('this is no JSON\n{"nor":"a message"}\n');
    const initialize = {
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "test", version: "0" },
      },
    };
    const answered = new Promise((resolve) => {
      output.once("data", resolve);
    });
    input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, ...initialize })}\n`);
    await answered;
    input.end();
    await connection.closed;
    const lines = written.join("").split("\n").filter(Boolean);
    assert.deepEqual(
      lines.map((line) => [
        (JSON.parse(line) as Data)["jsonrpc"],
        (JSON.parse(line) as Data)["id"],
      ]),
      [["2.0", 1]],
    );
    assert.equal(logged.length, 1);
  });

  test("the connection closes when the client disconnects or on request", async () => {
    const streams = { input: new PassThrough(), output: new PassThrough() };
    const disconnected = serveStdio({ ...optionsFor(() => undefined), ...streams });
    streams.input.end();
    await disconnected.closed;
    const others = { input: new PassThrough(), output: new PassThrough() };
    const stopped = serveStdio({ ...optionsFor(() => undefined), ...others });
    await stopped.close();
    await stopped.closed;
  });
}
