import assert from "node:assert/strict";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path/posix";
import { test } from "node:test";

/** A folder imports only from the rows before its own. */
const rows = [
  "platform",
  "kernel",
  "stores",
  "time",
  "features",
  "adapters",
  "interfaces",
  "app",
  "testing",
];
/** Within a row, a room imports only from the rooms before it. Rooms of a row without an order never meet. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  stores: ["sql", "memory", "sqlite", "postgres", "file"],
  features: [
    "nodes",
    "accounts",
    "notifications",
    "nags",
    "tasks",
    "schedules",
    "events",
    "workspaces",
    "calendars",
    "book",
    "index.ts",
  ],
  adapters: ["channels", "sources", "runners", "machines", "archives", "calendars", "chats"],
  interfaces: [],
};
/** Tests and their parts may see everything; nothing that ships sees them. */
const unshipped = "testing";

const imports = /(?:\bfrom|\bimport|\bimport\()\s*["'`](\.[^"'`]+\.ts)["'`]/g;

/** The room a file is in: its row, and in a row with rooms the next folder too. */
function roomOf(file: string): string {
  const [row = "", room = ""] = file.split("/");
  return row in rooms ? `${row}/${room}` : row;
}

function isAllowed(from: string, to: string): boolean {
  if (roomOf(from) === roomOf(to)) return true;
  const [fromRow = "", fromRoom = ""] = from.split("/");
  const [toRow = "", toRoom = ""] = to.split("/");
  if (fromRow !== toRow) return isBefore(rows, toRow, fromRow);
  return isBefore(rooms[fromRow] ?? [], toRoom, fromRoom);
}

/** A feature is imported through its index, except by tests and the simulator. */
function isThroughIndex(from: string, to: string): boolean {
  const [row, feature] = to.split("/");
  if (row !== "features" || to.split("/").length < 3) return true;
  if (roomOf(from) === roomOf(to) || from.startsWith(`${unshipped}/`)) return true;
  return to === `features/${feature}/index.ts`;
}

function isBefore(order: readonly string[], name: string, other: string): boolean {
  return order.includes(name) && order.indexOf(name) < order.indexOf(other);
}

/** The relative imports of every file under a root that holds `src/`, types included. */
function importsIn(root: string): ReadonlyMap<string, readonly string[]> {
  const files = globSync("src/*/**/*.ts", { cwd: root })
    .filter((file) => !file.endsWith(".test.ts"))
    .map((file) => file.slice("src/".length))
    .toSorted();
  return new Map(
    files.map((file) => {
      const source = readFileSync(join(root, "src", file), "utf8");
      const targets = [...source.matchAll(imports)].map(([, path = ""]) => {
        const target = join("src", dirname(file), path);
        return target.startsWith("src/") ? target.slice("src/".length) : target;
      });
      return [file, targets];
    }),
  );
}

/** Every import that breaks the order of rows. */
function faults(root: string): string[] {
  const all = importsIn(root);
  if (all.size === 0) return ["no source found: the check would pass on nothing"];
  return Array.from(all).flatMap(([file, targets]) => {
    const [row = ""] = file.split("/");
    if (!rows.includes(row)) return [`${file}: its folder has no row`];
    return targets
      .filter((to) => !isAllowed(file, to) || !isThroughIndex(file, to))
      .map((to) => `${file} -> ${to}`);
  });
}

/** The shipped files in a cycle of imports, or between two cycles. */
function inCycles(root: string): string[] {
  const shipped = Array.from(importsIn(root)).filter(([file]) => !file.startsWith(unshipped));
  const left = new Map(shipped);
  for (let before = Infinity; left.size < before;) {
    before = left.size;
    const imported = new Set([...left.values()].flat());
    for (const [file, targets] of left) {
      if (!imported.has(file) || !targets.some((to) => left.has(to))) left.delete(file);
    }
  }
  return [...left.keys()];
}

const root = join(import.meta.dirname, "..");

test("every import points to an earlier row", () => {
  assert.deepEqual(faults(root), []);
});

test("no file imports itself through others, types included", (t) => {
  assert.deepEqual(inCycles(root), []);
  const tree = plant(t.after.bind(t), {
    "src/app/a.ts": 'import type { B } from "./b.ts";',
    "src/app/b.ts": 'import { c } from "./c.ts";',
    "src/app/c.ts": 'export * from "./a.ts";\nimport "./d.ts";',
    "src/app/d.ts": "",
  });
  assert.deepEqual(inCycles(tree), ["app/a.ts", "app/b.ts", "app/c.ts"]);
});

/** Planted faults: they prove that the test can fail. */
const planted: [name: string, file: string, source: string, fault: string][] = [
  ["row", "platform/a.ts", 'import { b } from "../kernel/b.ts";', "kernel/b.ts"],
  ["type", "kernel/a.ts", 'import type { B } from "../stores/sql/b.ts";', "stores/sql/b.ts"],
  [
    "feature",
    "features/nags/a.ts",
    'export * from "../schedules/b.ts";',
    "features/schedules/b.ts",
  ],
  ["adapter", "adapters/channels/a.ts", 'import "../chats/b.ts";', "adapters/chats/b.ts"],
  ["interface", "interfaces/cli/x/a.ts", 'import "../../http/b.ts";', "interfaces/http/b.ts"],
  ["lazy", "kernel/a.ts", 'const b = await import("../app/b.ts");', "app/b.ts"],
  ["several lines", "platform/a.ts", 'import {\n  b,\n} from\n  "../app/b.ts";', "app/b.ts"],
  ["root file", "app/a.ts", 'import { c } from "../bin.ts";', "bin.ts"],
  ["no row", "app/a.ts", 'import "../utils/b.ts";', "utils/b.ts"],
  ["testing", "app/a.ts", `import "../${unshipped}/b.ts";`, "testing/b.ts"],
  ["inner file", "app/a.ts", 'import "../features/nags/curve.ts";', "features/nags/curve.ts"],
  ["outside", "app/a.ts", 'import "../../test/b.ts";', "test/b.ts"],
];
for (const [name, file, source, target] of planted) {
  test(`the check names a planted fault: ${name}`, (t) => {
    const tree = plant(t.after.bind(t), { [`src/${file}`]: source });
    assert.deepEqual(faults(tree), [`${file} -> ${target}`]);
  });
}

test("the check names a folder without a row and an empty tree", (t) => {
  const after = t.after.bind(t);
  assert.deepEqual(faults(plant(after, { "src/utils/a.ts": "" })), [
    "utils/a.ts: its folder has no row",
  ]);
  assert.deepEqual(faults(plant(after, { "src/bin.ts": "" })), [
    "no source found: the check would pass on nothing",
  ]);
});

test("the check accepts an import in the order of rows", (t) => {
  const tree = plant(t.after.bind(t), {
    "src/interfaces/cli/a.ts":
      'import "./b.ts";\nimport "../../features/nags/index.ts";\nimport "node:fs";\nimport "zod";',
    "src/stores/sqlite/a.ts": 'import "../sql/row.ts";\nimport "../../platform/clock.ts";',
    "src/features/nags/a.ts": 'import "../notifications/index.ts";',
    "src/testing/a.ts": 'import "../app/a.ts";',
    "src/interfaces/cli/a.test.ts": 'import "../../testing/a.ts";\nimport "../http/a.ts";',
    "src/bin.ts": 'import "./app/a.ts";',
  });
  assert.deepEqual(faults(tree), []);
});

function plant(after: (clean: () => void) => void, files: Record<string, string>): string {
  const tree = mkdtempSync(join(tmpdir(), "daybook-rows-"));
  after(() => rmSync(tree, { recursive: true }));
  for (const [file, source] of Object.entries(files)) {
    mkdirSync(join(tree, dirname(file)), { recursive: true });
    writeFileSync(join(tree, file), source);
  }
  return tree;
}
