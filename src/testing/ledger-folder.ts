import assert from "node:assert/strict";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { crc32 } from "node:zlib";

/** A record as a file ledger's journal has it, seen by somebody who knows only the format. */
export interface Found {
  id: string;
  kind: string;
  by: string;
  parent: string | null;
  state: string;
  revision: number;
  attempt: number;
  fence: number;
  wakeAt: number | null;
  lease: { holder: string } | null;
  endedAt: number | null;
}

interface LedgerFolder {
  readonly rows: ReadonlyMap<string, Found>;
  readonly changes: readonly { readonly id: string; readonly what: string }[];
}

type Fact =
  | { what: "row"; row: Found }
  | { what: "gone"; id: string }
  | { what: "change"; entry: { change: { id: string; what: string } } }
  | { what: "key" | "bytes" };

/** An independent look at the folder of a file ledger: what its journal says, torn tail aside. */
export function readLedgerFolder(folder: string): LedgerFolder {
  const rows = new Map<string, Found>();
  let changes: { id: string; what: string }[] = [];
  for (const { facts = [] } of journalFiles(folder).flatMap(wholeLines)) {
    for (const fact of facts) {
      if (fact.what === "row") rows.set(fact.row.id, fact.row);
      if (fact.what === "change") changes.push(fact.entry.change);
      if (fact.what !== "gone") continue;
      rows.delete(fact.id);
      changes = changes.filter(({ id }) => id !== fact.id);
    }
  }
  return { rows, changes };
}

function journalFiles(folder: string): readonly string[] {
  const numbers = (prefix: string): number[] =>
    readdirSync(folder)
      .flatMap((name) => (name.startsWith(prefix) ? [Number(name.slice(prefix.length))] : []))
      .toSorted((a, b) => a - b);
  const newest = numbers("snapshot-").at(-1);
  const journals = numbers("journal-").filter((number) => number >= (newest ?? 1));
  assert.equal(journals[0], newest ?? 1, "the first journal is there");
  const names = journals.map((number) => `journal-${number}`);
  return (newest ? [`snapshot-${newest}`, ...names] : names).map((name) => join(folder, name));
}

function wholeLines(path: string): readonly { facts?: readonly Fact[] }[] {
  const [torn, ...lines] = readFileSync(path, "utf8").split("\n").toReversed();
  if (!basename(path).startsWith("journal-")) assert.equal(torn, "", `${path} is whole`);
  return lines.toReversed().map((line) => {
    const [, sum = "", rest = ""] = /^(\w{8}) (.*)$/.exec(line) ?? [];
    assert.equal(crc32(rest), Number.parseInt(sum, 16), `a line of ${path} has its checksum`);
    return JSON.parse(rest.replace(/^\d+ \d+ /, ""));
  });
}

/** Every record has exactly one file, whole, in the folder of its state or of work in progress. */
export function assertShown(folder: string): void {
  const { rows } = readLedgerFolder(folder);
  const paths = globSync("{queue,records}/*/*/*", { cwd: folder, exclude: ["**/.*"] });
  const seen = new Set<string>();
  for (const path of paths) {
    const { id, daybook: record } = JSON.parse(readFileSync(join(folder, path), "utf8")) as Shown;
    assert.equal(id, record.id);
    const row = rows.get(record.id);
    assert.ok(row, `${path} shows a record that there is`);
    assert.ok(!seen.has(record.id), `${record.id} is in one folder`);
    seen.add(record.id);
    for (const name of ["state", "revision", "attempt", "wakeAt"] as const) {
      assert.equal(record[name], row[name], `${path}: ${name}`);
    }
    assert.equal(record.lease?.holder, row.lease?.holder);
    assert.equal(basename(dirname(path)), folderOf(row));
  }
  assert.equal(seen.size, rows.size, "every record has a file");
  assertResults(folder, [...rows.values()]);
}

interface Shown {
  readonly id: string;
  readonly daybook: Found;
}

interface Result {
  readonly task_id?: string;
}

/** Every task that has ended has a result, and no other has. */
function assertResults(folder: string, rows: readonly Found[]): void {
  const paths = globSync("state/results/*.json", { cwd: folder });
  const ended = rows.filter(({ kind, endedAt }) => kind === "task" && endedAt !== null);
  const found = paths.flatMap((path) => {
    const { task_id: id } = JSON.parse(readFileSync(join(folder, path), "utf8")) as Result;
    return id ?? [];
  });
  assert.deepEqual(found.toSorted(), ended.map(({ id }) => id).toSorted());
}

/** Also while a process is dead in the middle: no id is in two folders, and every file is whole. */
export function assertNotTwice(folder: string): void {
  const paths = globSync("{queue,records}/*/*/*", { cwd: folder, exclude: ["**/.*"] });
  for (const path of paths) JSON.parse(readFileSync(join(folder, path), "utf8"));
  assert.equal(new Set(paths.map((path) => basename(path))).size, paths.length);
}

function folderOf({ kind, lease, state, endedAt }: Found): string {
  const isLive = endedAt === null;
  if (kind === "event") return isLive ? state : "completed";
  if (kind === "task" && !isLive) return "completed";
  if (kind === "task") return lease || state === "needs_human" ? "in_progress" : "pending";
  if (kind === "notification") {
    return isLive ? "pending" : state === "delivered" ? "sent" : "failed";
  }
  return lease ? "in_progress" : state;
}
