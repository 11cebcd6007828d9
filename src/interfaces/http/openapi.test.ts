import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { erased, httpFixture, notes } from "../../../test/http-fixture.ts";
import { table } from "../../features/index.ts";
import { pingPaths } from "../../features/schedules/routes.ts";
import { operation, type Operation } from "../../kernel/operation.ts";
import recorded from "./examples.json" with { type: "json" };
import { openApi } from "./openapi.ts";

interface Content {
  content: { "application/json": { example?: object } };
}
interface Node {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly operationId?: string;
  readonly parameters?: readonly Node[];
  readonly example?: unknown;
  readonly requestBody?: Content;
  readonly responses?: Readonly<Record<string, Partial<Content>>>;
}
interface Body {
  properties: object;
  required?: string[];
}
interface Document {
  openapi: string;
  info: { version: string };
  paths: Readonly<Record<string, Readonly<Record<string, Node>>>>;
  components: { schemas: Readonly<Record<string, unknown>> };
}

interface Tree {
  label: string;
  children: readonly Tree[];
}
const tree: z.ZodType<Tree> = z.lazy(() =>
  z.object({ label: z.string(), children: z.array(tree) }),
);
/** Refers to itself, within and as a whole. */
const growTree: Operation = erased(
  operation({
    name: "grow_tree",
    summary: "Grows a tree.",
    input: z.strictObject({ id: z.string(), under: tree, revision: z.number().optional() }),
    output: tree,
    route: { method: "PUT", path: "/v1/trees/{id}" },
    command: { name: "grow", positionals: ["id"] },
    tool: "never",
    run: ({ under }) => Promise.resolve(under),
    render: ({ label }) => label,
  }),
);
const own = [...notes, growTree];
const all = [...table, ...own];

function written(operations: readonly Operation[] = all): Document {
  return JSON.parse(JSON.stringify(openApi(operations, "1.2.3", pingPaths))) as Document;
}

/** What a JSON pointer leads to. */
function follow(document: unknown, pointer: string): unknown {
  let at = document;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    at = (at as Record<string, unknown> | undefined)?.[name];
  }
  return at;
}

function refsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    name === "$ref" ? [String(part)] : refsIn(part),
  );
}

test("every operation is in it once, at its path and method, with its answers, and so is what is pinged", () => {
  const { openapi, info, paths } = written();
  assert.deepEqual([openapi, info.version], ["3.1.0", "1.2.3"]);
  const found = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, responses }]) => {
      assert.ok(responses?.["200"] && responses["default"], path);
      return `${operationId} ${method.toUpperCase()} ${path}`;
    }),
  );
  const wanted = all.flatMap(({ name, route: { method, path, also } }) => [
    `${name} ${method} ${path}`,
    ...(also === undefined ? [] : [`${name}_also ${method} ${also}`]),
  ]);
  const pings = [
    "ping GET /ping/{token}",
    "ping_post POST /ping/{token}",
    "ping_what GET /ping/{token}/{what}",
    "ping_what_post POST /ping/{token}/{what}",
  ];
  assert.deepEqual(found.toSorted(), [...wanted, ...pings].toSorted());
});

test("nothing in it refers to nothing", () => {
  const document = written();
  const refs = refsIn(document);
  assert.ok(refs.length > all.length);
  for (const ref of refs) {
    assert.ok(ref.startsWith("#/"), ref);
    assert.equal(typeof follow(document, ref.slice(1)), "object", ref);
  }
  assert.equal(follow(document, "/components/schemas/none"), undefined);
});

test("what stands in a path is a parameter that must be given, and not in the body", () => {
  const { paths, components } = written();
  for (const [path, methods] of Object.entries(paths)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? "");
    for (const { operationId = "", parameters = [] } of Object.values(methods)) {
      const given = parameters.filter((each) => each.in === "path");
      assert.deepEqual(
        given.map(({ name, required }) => [name, required]),
        inPath.map((name) => [name, true]),
      );
      const body = components.schemas[`${operationId}_input`] as Body | undefined;
      for (const name of inPath) {
        assert.ok(!Object.hasOwn(body?.properties ?? {}, name), operationId);
        assert.ok(!body?.required?.includes(name), operationId);
      }
    }
  }
});

test("headers that stand for an input are there where the input is", () => {
  const headers = Object.values(written(own).paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, parameters = [] }) =>
      parameters.filter((each) => each.in === "header").map(({ name }) => [operationId, name]),
    );
  assert.deepEqual(headers, [
    ["add_note", "Idempotency-Key"],
    ["edit_note", "If-Match"],
    ["grow_tree", "If-Match"],
  ]);
});

test("every operation has an example of its input and its output", () => {
  const { paths } = written(table);
  const answers = new Map(Object.entries<unknown>(recorded));
  for (const operation of table) {
    const { name, route, effect, example } = operation;
    assert.ok(example !== undefined && answers.has(name), name);
    const node = paths[route.path]?.[route.method.toLowerCase()] ?? assert.fail(name);
    const given = [
      ...(node.parameters ?? []).flatMap((each) =>
        each.example === undefined ? [] : [[each.name, each.example] as const],
      ),
      ...Object.entries(node.requestBody?.content["application/json"].example ?? {}),
    ];
    assert.deepEqual(Object.fromEntries(given), example, name);
    const status = effect === "adds" && route.method === "POST" ? "201" : "200";
    const answer = node.responses?.[status]?.content?.["application/json"].example;
    assert.deepEqual(answer, answers.get(name), name);
  }
});

test("what has no example is described without", () => {
  assert.doesNotMatch(JSON.stringify(written(own).paths), /"example"/);
});

test("anybody may read it, and answers are as it says", async (t) => {
  const fixture = await httpFixture(t);
  const { status, json } = await fixture.ask("/openapi.json", { token: null });
  assert.deepEqual([status, json["openapi"]], [200, "3.1.0"]);
  const made = await fixture.ask("/v1/notes", { method: "POST", body: { message: "milk" } });
  const schema = follow(json, "/components/schemas/add_note_answer") as { required: string[] };
  assert.deepEqual(Object.keys(made.json).toSorted(), schema.required.toSorted());
  const wrong = await fixture.ask("/v1/notes?limit=0");
  const problem = follow(json, "/components/schemas/Problem") as { required: string[] };
  for (const name of problem.required) assert.ok(Object.hasOwn(wrong.json, name), name);
});
