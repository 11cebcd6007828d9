import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path/posix";
import { test } from "node:test";

/**
 * Style that no linter holds. The sizes of functions are the linter's (70 lines at most): measuring
 * them here would need a parser, and TypeScript 7 gives none.
 */
const root = join(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const all = globSync("{src,test,bench,bin}/**/*.{ts,js,sql}", { cwd: root }).toSorted();
const source = all.filter((file) => file.startsWith("src/") && !file.endsWith(".test.ts"));

test("the source is not empty", () => {
  assert.ok(source.length > 10);
});

test("files are short: 19 of 20 have at most 200 lines, none has more than 300", () => {
  const sizes = source
    // A suite is a list: its length is its number of cases.
    .filter((file) => file.endsWith(".ts") && !file.includes("/conformance/"))
    .map((file) => ({ file, lines: read(file).trimEnd().split("\n").length }));
  const longer = (than: number) => sizes.filter(({ lines }) => lines > than);
  assert.deepEqual(longer(300), []);
  assert.ok(longer(200).length <= sizes.length / 20, JSON.stringify(longer(200)));
});

test("no folder has a name without meaning", () => {
  const drawers = /(^|\/)(utils?|helpers?|common|types|models|managers?)\//i;
  assert.deepEqual(
    all.filter((file) => drawers.test(file)),
    [],
  );
});

/** A TODO mark without an issue such as `mark(#12)`. */
const later = /\b(TODO|FIXME)\b(?!\(#\d+\))/;

test("every TODO mark names its issue", () => {
  const others = all.filter((file) => file !== "test/tidy.test.ts");
  const marked = others.flatMap((file) =>
    read(file)
      .split("\n")
      .flatMap((line, at) => (later.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
  );
  assert.deepEqual(marked, []);
  assert.deepEqual(
    ["-- TODO later", "// FIXME", "// TODO(#12) later"].map((line) => later.test(line)),
    [true, true, false],
  );
});

/** The left side is read before the await, so additions meanwhile are lost. */
const lostUpdate = /[-+*/|&]=\s*await\b/;

test("no compound assignment has an await on its right side", () => {
  const lost = all
    .filter((file) => file !== "test/tidy.test.ts" && lostUpdate.test(read(file)))
    .toSorted();
  assert.deepEqual(lost, []);
  assert.ok(lostUpdate.test("n += await f()"));
});

/** Time and random numbers are parameters, so that the simulator controls them. */
const impure = new RegExp(
  [
    /\b(now|clock_timestamp|unixepoch|random|gen_random_uuid|uuidv[47])\s*\(\s*\)/,
    /\brandomblob\s*\(|\bcurrent_(timestamp|time|date)\b|\(\s*['"]now['"]/,
  ]
    .map((pattern) => pattern.source)
    .join("|"),
  "i",
);

/** The texts that may be SQL: a complete .sql file, or the strings of a .ts file. */
function sqlTexts(file: string, code: string): string[] {
  if (file.endsWith(".sql")) return [code.replaceAll(/--.*$/gm, "")];
  const strings = code.match(/`[^`]*`|"(?:[^"\\\n]|\\.)*"/g) ?? [];
  return strings.map((text) => text.replaceAll(/\$\{[^}]*\}/g, "?"));
}

test("no SQL reads the time or random numbers from the database", () => {
  const ledger = source.filter((file) => /^src\/(kernel|stores)\//.test(file));
  const asking = ledger.flatMap((file) =>
    sqlTexts(file, read(file))
      .flatMap((text) => (impure.exec(text) ?? []).slice(0, 1))
      .map((text) => `${file}: ${text}`),
  );
  assert.deepEqual(asking, []);
  const planted = [
    "`select now()`",
    '"values (random ())"',
    "`default current_timestamp`",
    "`datetime('now')`",
  ];
  for (const code of planted) assert.match(sqlTexts("a.ts", code).join(), impure, code);
  for (const code of ["options.now()", "`where at < ${now()}`", '"known()"']) {
    assert.doesNotMatch(sqlTexts("a.ts", code).join(), impure, code);
  }
});

test("every path named in the pages for newcomers exists", () => {
  for (const [page, least] of [
    ["docs/ARCHITECTURE.md", 30],
    ["docs/promises.md", 10],
  ] as const) {
    const named = read(page).match(/(?<=`)[a-z]+\/[\w/.-]+\.ts(?=`)/g) ?? [];
    assert.ok(named.length >= least, page);
    const gone = named.filter((name) => !all.includes(`src/${name}`) && !all.includes(name));
    assert.deepEqual(gone, [], page);
  }
});
