import assert from "node:assert/strict";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path/posix";
import { test } from "node:test";

/** A folder imports only from rows below its own. Folders in one row never meet. */
const rows = [
  ["base"],
  ["rules"],
  ["ledger", "channels", "sources", "runners", "machines", "archives", "mirrors"],
  ["operations", "controllers"],
  ["cli", "http", "mcp", "chat", "config"],
  ["assembly"],
  ["program", "library", "rehearsal"],
];
/** Fakes, suites and the simulator see what they test, up to behaviour; only tests see them. */
const testing = { name: "testing", row: 4 };

/** Root files and folders without a row stand above everything: nobody may import them. */
function rowOf(folder: string): number {
  const row = rows.findIndex((names) => names.includes(folder));
  return row === -1 ? Infinity : row;
}

const imports = /(?:\bfrom|\bimport|\bimport\()\s*["'`](\.[^"'`]+)["'`]/g;

/** What breaks the law of rows under a root that holds `src/`. */
function faults(root: string): string[] {
  const files = globSync("src/*/**/*.ts", { cwd: root }).filter(
    (file) => !file.endsWith(".test.ts"),
  );
  if (files.length === 0) return ["no source found: the check would pass on nothing"];
  return files.flatMap((file) => {
    const folder = file.split("/")[1] ?? "";
    const row = folder === testing.name ? testing.row : rowOf(folder);
    if (row === Infinity) return [`${file}: its folder has no row`];
    return [...readFileSync(join(root, file), "utf8").matchAll(imports)].flatMap(
      ([, path = ""]) => {
        const [top, target = ""] = join(dirname(file), path).split("/");
        if (top === "package.json") return []; // where the version stands
        if (top === "src" && (target === folder || rowOf(target) < row)) return [];
        return [`${file} -> ${top === "src" ? target : join(dirname(file), path)}`];
      },
    );
  });
}

test("every import points downwards", () => {
  assert.deepEqual(faults(join(import.meta.dirname, "..")), []);
});

/** Planted faults: a test that cannot fail holds nothing. */
const planted: [name: string, file: string, source: string, fault: string][] = [
  ["upward", "src/base/a.ts", 'import { b } from "../rules/b.ts";', "src/base/a.ts -> rules"],
  [
    "upward type",
    "src/rules/a.ts",
    'import type { B } from "../ledger/b.ts";',
    "src/rules/a.ts -> ledger",
  ],
  [
    "sideways",
    "src/ledger/a.ts",
    'export * from "../channels/b.ts";',
    "src/ledger/a.ts -> channels",
  ],
  [
    "sideways from a subfolder",
    "src/cli/x/a.ts",
    'import "../../http/b.ts";',
    "src/cli/x/a.ts -> http",
  ],
  ["lazy", "src/http/a.ts", 'const b = await import("../cli/b.ts");', "src/http/a.ts -> cli"],
  [
    "broken over lines",
    "src/base/a.ts",
    'import {\n  b,\n} from\n  "../cli/b.ts";',
    "src/base/a.ts -> cli",
  ],
  ["root file", "src/cli/a.ts", 'import { c } from "../config.ts";', "src/cli/a.ts -> config.ts"],
  ["folder without a row", "src/utils/a.ts", "", "src/utils/a.ts: its folder has no row"],
  [
    "into a folder without a row",
    "src/cli/a.ts",
    'import "../utils/b.ts";',
    "src/cli/a.ts -> utils",
  ],
  ["testing in production", "src/cli/a.ts", 'import "../testing/b.ts";', "src/cli/a.ts -> testing"],
  ["testing sees a face", "src/testing/a.ts", 'import "../cli/b.ts";', "src/testing/a.ts -> cli"],
  ["out of the source", "src/cli/a.ts", 'import "../../test/b.ts";', "src/cli/a.ts -> test/b.ts"],
  ["empty tree", "src/bin.ts", "", "no source found: the check would pass on nothing"],
];
for (const [name, file, source, fault] of planted) {
  test(`a planted fault is named: ${name}`, (t) => {
    assert.deepEqual(faults(plant(t.after.bind(t), { [file]: source })), [fault]);
  });
}

test("what the law allows is not named", (t) => {
  const root = plant(t.after.bind(t), {
    "src/cli/a.ts":
      'import "./b.ts";\nimport "../operations/c.ts";\nimport "node:fs";\nimport "zod";',
    "src/ledger/sqlite/a.ts": 'import "../ledger.ts";\nimport "../../base/clock.ts";',
    "src/testing/a.ts": 'import "../controllers/a.ts";\nimport "../operations/a.ts";',
    "src/cli/a.test.ts": 'import "../testing/a.ts";\nimport "../http/a.ts";',
    "src/bin.ts": 'import "./config.ts";\nimport "./cli/a.ts";',
  });
  assert.deepEqual(faults(root), []);
});

function plant(after: (clean: () => void) => void, files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), "daybook-rows-"));
  after(() => rmSync(root, { recursive: true }));
  for (const [file, source] of Object.entries(files)) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    writeFileSync(join(root, file), source);
  }
  return root;
}
