import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";

/** docs/seeds.md: each row is a statement, where it lives, and the tests that hold it. */
interface Row {
  /** Its line, to find it by. */
  readonly at: string;
  readonly cells: readonly string[];
}

const page = "docs/seeds.md";

function rowsOf(text: string): readonly Row[] {
  return text.split("\n").flatMap((line, index) => {
    if (!line.startsWith("|") || /^\|(-+\||\s*the document says)/.test(line)) return [];
    const cells = line.slice(1, line.lastIndexOf("|")).split(/(?<!\\)\|/);
    return [{ at: `${page}:${index + 1}`, cells: cells.map((cell) => cell.trim()) }];
  });
}

/** The files of ours that a text names. */
function pathsIn(text: string): readonly string[] {
  const named = text.matchAll(/`((?:src|test|docs|schemas|bench|examples)\/[^`]*)`/g);
  return [...named].map(([, path = ""]) => path);
}

/** A cell without tests says so in these words. */
const withoutTest = /^(nothing to hold|not yet: (calendars|Notion|assistant))$/;

/** What is wrong with the last cell: files without names, names without a file, names that are not in the file. */
function problemsOf(cell: string, namesIn: (path: string) => readonly string[]): string[] {
  if (withoutTest.test(cell)) return [];
  return cell.split(/;\s+(?=`)/).flatMap((part) => {
    const [, path, list = ""] = /^`([^`]+)`: (“[^”]+”(?:, “[^”]+”)*)$/.exec(part) ?? [];
    if (path === undefined) return [`write a file and the names of its tests: ${part}`];
    const names = namesIn(path);
    const quoted = [...list.matchAll(/“([^”]+)”/g)].map(([, name = ""]) => name);
    return quoted
      .filter((name) => !names.some((each) => each.includes(name)))
      .map((name) => `no test of ${path} is called “${name}”`);
  });
}

/** Calls that make tests, and tables of tests by name. Of a template, its source. */
const namePatterns = [
  /\b(?:test|describe|it|crashOnEachStore)\(\s*(["'`])((?:\\[^]|(?!\1)[^\\])*)\1/g,
  /^\s+(")([^"\n]*)": \w+,$/gm,
];

function testNamesIn(source: string): readonly string[] {
  return namePatterns.flatMap((pattern) =>
    [...source.matchAll(pattern)].map(([, , name = ""]) => name.replaceAll(/\\(["'`])/g, "$1")),
  );
}

describe(page, () => {
  const rows = rowsOf(readFileSync(page, "utf8"));

  test("has rows of three cells, none of them empty", () => {
    assert.ok(rows.length > 200);
    for (const { at, cells } of rows) {
      assert.ok(cells.length === 3 && !cells.includes(""), `${at} has ${cells.length} cells`);
    }
  });

  test("names files that exist", () => {
    const missing = rows.flatMap(({ at, cells: [, ...ours] }) =>
      pathsIn(ours.join(" "))
        .filter((path) => !existsSync(path))
        .map((path) => `${at}: ${path}`),
    );
    assert.deepEqual(missing, []);
  });

  test("quotes names of tests that are in the file beside them", () => {
    const read = new Map<string, readonly string[]>();
    const namesIn = (path: string): readonly string[] => {
      const names = read.get(path) ?? testNamesIn(readFileSync(path, "utf8"));
      read.set(path, names);
      return names;
    };
    const problems = rows.flatMap(({ at, cells }) =>
      problemsOf(cells[2] ?? "", namesIn).map((problem) => `${at}: ${problem}`),
    );
    assert.deepEqual(problems, []);
  });
});

test("a stale row is found", () => {
  const source = 'test(\n  "a \\"name\\" of a test", () => {});\ndescribe(`${one} and two`, f);';
  assert.deepEqual(testNamesIn(source), ['a "name" of a test', "${one} and two"]);
  const namesIn = () => ["the first test", "${one} and two"];
  const problems = (cell: string) => problemsOf(cell, namesIn).length;
  assert.deepEqual(
    ["`a.ts`: “first”, “and two”", "nothing to hold", "not yet: Notion"].map(problems),
    [0, 0, 0],
  );
  const wrong = ["`a.ts`: “frist”, “and two”", "`a.ts`", "no test holds it", "not yet: tests"];
  assert.deepEqual(wrong.map(problems), [1, 1, 1, 1]);
  assert.deepEqual(rowsOf("| the document says | x | y |\n|---|---|---|\n| a | | `b \\| c` |\n"), [
    { at: `${page}:3`, cells: ["a", "", "`b \\| c`"] },
  ]);
  assert.deepEqual(pathsIn("`src/a.ts` and `/api/b`, `test/c`"), ["src/a.ts", "test/c"]);
});
