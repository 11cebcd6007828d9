import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { stringify } from "yaml";
import { readDocument } from "./document.ts";

const read = (text: string) => readDocument(text, "a.yaml");

test("YAML is read as 1.2, whatever the file says of itself", () => {
  for (const head of ["", "%YAML 1.1\n---\n"]) {
    const { tree, problems } = read(`${head}on: no\nat: 07:00\nn: 017\nempty:\n`);
    assert.deepEqual([tree, problems], [{ on: "no", at: "07:00", n: 17, empty: null }, []]);
  }
});

test("a position is that of the key, or of the last existing key before it", () => {
  const { place } = read("\uFEFFa:\r\n  b: [1, 2]\r\n");
  const places: [path: PropertyKey[], place: string][] = [
    [["a"], "a.yaml:1:2"],
    [["a", "b"], "a.yaml:2:3"],
    [["a", "b", 1], "a.yaml:2:10"],
    [["a", "c", "d"], "a.yaml:1:2"],
    [["z"], "a.yaml:1:1"],
  ];
  for (const [path, at] of places) assert.equal(place(path), at, path.join());
});

describe("a file that is refused", () => {
  const table: [text: string, problem: string][] = [
    ["a: 1\nb: 1\na: 2", "a.yaml:3:1  a is set twice: keep one"],
    ["x: { a: 1, a: 2 }", "a.yaml:1:12  x.a is set twice: keep one"],
    ["a: 1\n---\nb: 2", "a.yaml:2:1  a second document starts here: keep one"],
    ["a:\n\t- b", "a.yaml:2:1  cannot be read: Tabs are not allowed as indentation"],
    ["a: {b: 1", "a.yaml:1:9  cannot be read: "],
    ["a: !!js/function x", "a.yaml:1:4  cannot be read: Unresolved tag: "],
    ["? [a]\n: 1", "a.yaml:1:3  a key must be a word"],
    ["a: *x\nb: &x 1", "a.yaml:1:4  no such anchor before it"],
    ["a: &x { b: *x }", "a.yaml:1:12  more than 100 aliases: write the values out"],
    ["a".repeat(256 * 1_024 + 1), "a.yaml  has 262145 bytes: keep it under 262144"],
  ];
  for (const [text, problem] of table) {
    test(`${JSON.stringify(text.slice(0, 30))} reports: ${problem}`, () => {
      const { problems } = read(text);
      assert.equal(problems.length, 1, problems.join("\n"));
      assert.equal(problems[0]?.slice(0, problem.length), problem);
    });
  }
});

test("an anchor can be used again after its position", () => {
  const { tree, problems } = read("a: &x { b: 1 }\nc: *x\nd: &x 2\ne: [*x, *x]");
  assert.deepEqual(tree, { a: { b: 1 }, c: { b: 1 }, d: 2, e: [2, 2] });
  assert.deepEqual(problems, []);
});

test("aliases of aliases are refused before they fill the memory", () => {
  const names = Array.from("abcdefghijkl");
  const lines = names.map((name, at) => {
    const inner = at === 0 ? "x" : `*${names[at - 1]}`;
    return `${name}: &${name} [${Array.from({ length: 9 }, () => inner).join(", ")}]`;
  });
  const { problems } = read(lines.join("\n"));
  assert.equal(problems.length, 1);
  assert.match(problems.join(), /more than 100 aliases/);
});

test("deep nesting is reported in a few lines", () => {
  const { tree, problems } = read("[".repeat(20_000));
  assert.equal(tree, undefined);
  assert.ok(problems.length > 0 && problems.length <= 10, String(problems.length));
});

test("a long list of keys is not compared key by key", { timeout: 20_000 }, () => {
  const names = Array.from({ length: 30_000 }, (_, at) => `k${at}`);
  const { tree, problems } = read(names.map((name) => `${name}:`).join("\n"));
  assert.deepEqual([Object.keys(Object(tree)), problems], [names, []]);
});

test("written YAML is read back unchanged", () => {
  const name = fc.string({ minLength: 1 });
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie("tree"), { maxLength: 4 }),
      fc.dictionary(name, tie("tree"), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  const trees = fc.dictionary(name, tree, { maxKeys: 5, noNullPrototype: true });
  fc.assert(
    fc.property(trees, (written) => {
      const { tree, problems } = read(stringify(written, { aliasDuplicateObjects: false }));
      assert.deepEqual([tree, problems], [written, []]);
    }),
  );
});
