import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { open } from "../../src/index.ts";
import { postgresServer } from "../../src/testing/postgres/server.ts";
import { child, folder } from "../../test/child.ts";

const root = join(import.meta.dirname, "../..");
const server = await postgresServer();
if ("stop" in server) after(() => server.stop());

/** A copy of the source in which one line makes the example a feature of the program. */
const tree = mkdtempSync(join(tmpdir(), "daybook-todo-"));
after(() => rmSync(tree, { recursive: true }));
before(() => {
  for (const part of ["src", "bin", "examples", "package.json", "test/manifest.ts"]) {
    cpSync(join(root, part), join(tree, part), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  const list = join(tree, "src/features/index.ts");
  const source = readFileSync(list, "utf8");
  const added = source.replace("  calendars,\n]", "  calendars,\n  todos,\n]");
  assert.notEqual(added, source);
  writeFileSync(list, `import { todos } from "../../examples/todo/todo.ts";\n${added}`);
  execFileSync(process.execPath, [join(tree, "test/manifest.ts")]);
});

interface Todo {
  readonly id: string;
  readonly state: string;
  readonly text: string;
  readonly due: string | null;
}

const stores: readonly (readonly [name: string, url: (home: string) => Promise<string>])[] = [
  ["memory", async () => "memory:"],
  ["SQLite", async (home) => `sqlite:${join(home, "book.db")}`],
  ["files", async (home) => `file:${join(home, "book")}`],
  ["PostgreSQL", async () => ("database" in server ? server.database() : "")],
];

for (const [name, storeUrl] of stores) {
  const skip = name === "PostgreSQL" && "missing" in server ? server.missing : false;
  test(`a feature of one's own works everywhere: ${name}`, { skip }, async (t) => {
    const home = folder(t);
    const env = { DAYBOOK_HOME: home, DAYBOOK_STORE: await storeUrl(home), DAYBOOK_LANGUAGE: "en" };
    const bin = join(tree, "src/bin.ts");
    await child(t, bin, ["start"], env).line(/is ready/);
    const { url } = JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as { url: string };
    const token = readFileSync(join(home, "token"), "utf8").trim();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const http = async (method: string, path: string, body?: object): Promise<unknown> => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return (await fetch(`${url}${path}`, { method, headers, ...sent })).json();
    };
    const cli = async (...typed: readonly string[]): Promise<string> => {
      const run = child(t, bin, [...typed], env);
      assert.equal(await run.ended, 0, run.lines.join("\n"));
      return run.lines.join("\n");
    };

    const made = JSON.parse(
      await cli("todo", "water the plants", "--due", "+2d", "--json"),
    ) as Todo;
    assert.deepEqual([made.state, made.text], ["open", "water the plants"]);
    assert.deepEqual(await http("GET", `/v1/todos/${made.id}`), made);
    const second = (await http("POST", "/v1/todos", { text: "write", key: "w" })) as Todo;
    assert.deepEqual(await http("POST", "/v1/todos", { text: "write", key: "w" }), second);
    const list = (await http("GET", "/v1/todos")) as { todos: readonly Todo[] };
    assert.deepEqual(
      list.todos.map(({ text }) => text),
      ["write", "water the plants"],
    );
    const api = (await http("GET", "/openapi.json")) as { paths: Record<string, unknown> };
    assert.ok("/v1/todos/{id}/done" in api.paths);

    const explained = (await http("GET", `/v1/explain/${made.id}`)) as { todo: Todo };
    assert.deepEqual(explained.todo, made);
    const { notifications } = (await http("GET", "/v1/notifications")) as {
      notifications: readonly { id: string; message: string }[];
    };
    const reminder =
      notifications.find(({ message }) => message === "water the plants") ??
      assert.fail("its reminder is not there");

    const client = new Client({ name: "test", version: "1" });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    const address = new URL(`${url}/mcp?tools=all`);
    await client.connect(new StreamableHTTPClientTransport(address, { requestInit }));
    t.after(() => client.close());
    const { tools } = await client.listTools();
    assert.ok(tools.some((tool) => tool.name === "done_todo"));
    const done = await client.callTool({ name: "done_todo", arguments: { id: made.id } });
    assert.equal((done.structuredContent as Partial<Todo>).state, "done");
    const gone = (await http("GET", `/v1/notifications/${reminder.id}`)) as { state: string };
    assert.equal(gone.state, "cancelled", "the reminder goes with the todo");
    assert.match(await cli("todos"), /^\S+ {2}open {2}write$/m);
  });
}

test("a feature of one's own has methods in the library", async (t) => {
  const entry = pathToFileURL(join(tree, "src/index.ts")).href;
  const program = (await import(entry)) as { open: typeof open };
  const book = await program.open({ store: "memory:" });
  t.after(() => book.close());
  const methods = book as unknown as Record<string, (input: object) => Promise<Todo>>;
  const made = await methods["todo"]?.({ text: "read" });
  const cancelled = await methods["cancelTodo"]?.({ id: made?.id });
  assert.deepEqual([cancelled?.text, cancelled?.state], ["read", "cancelled"]);
});
