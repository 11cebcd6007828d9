import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { FileLayout, FileWay } from "../kernel/files.ts";
import type { Kinds } from "../kernel/kind.ts";
import type { Ledger } from "../kernel/ledger.ts";
import type { Claimed } from "../kernel/record.ts";
import type { Store } from "../kernel/verbs.ts";
import { memoryStore, recordOf, type Model, type Row } from "./memory.ts";

interface FileStoreOptions {
  readonly folder: string;
  readonly kinds: Kinds;
  readonly layouts: readonly FileLayout[];
  now(): number;
}

/** Who drops files, and what may be done with them by kind. */
interface Outside {
  readonly ledger: Ledger;
  readonly owner: string;
  readonly ways: ReadonlyMap<string, FileWay>;
}

const holderPrefix = "file:";

/** The memory model with its folders as a projection. It reads layouts and ways, and knows no kind by name. */
export function fileStore(options: FileStoreOptions): {
  store: Store;
  scan(outside: Outside): Promise<void>;
} {
  const { folder, kinds, layouts, now } = options;
  const model: Model = { rows: new Map(), now };
  const inner = memoryStore(now, model);
  const shown = new Map<string, string>();
  const layoutOf = (kind: string): FileLayout | undefined =>
    layouts.find((each) => each.kind.name === kind);
  const pathOf = ({ kind, id, state, lease }: Row): string => {
    const layout = layoutOf(kind);
    const states = layout?.stateFolder(state, lease !== null) ?? state;
    return join("queue", layout?.folder ?? `${kind}s`, states, `${id}.json`);
  };
  const show = (row: Row): void => {
    const path = pathOf(row);
    const before = shown.get(row.id);
    if (before !== undefined && before !== path) rmSync(join(folder, before), { force: true });
    const record = recordOf(row);
    const view = layoutOf(row.kind)?.view(record) ?? {
      id: row.id,
      kind: row.kind,
      status: row.state,
    };
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(view));
    shown.set(row.id, path);
  };
  const store: Store = async (verb, input) => {
    const before = new Map(model.rows);
    const answer = await inner(verb, input);
    for (const [id, row] of model.rows) if (before.get(id) !== row) show(row);
    return answer;
  };

  /** A file where nothing was shown: somebody moved it, which is a claim, or dropped it. */
  const takeFile = async (path: string, { ledger, owner, ways }: Outside): Promise<void> => {
    const json = JSON.parse(readFileSync(join(folder, path), "utf8")) as { id?: string };
    const id = json.id ?? basename(path, ".json");
    const row = model.rows.get(id);
    const [, kindFolder] = path.split("/");
    if (row === undefined) {
      const kind = layouts.find((each) => each.folder === kindFolder)?.kind.name ?? "";
      const asked = await ways.get(kind)?.drop?.({ ...json, id });
      if (asked === undefined) throw new Error(`Nothing can be dropped into "${dirname(path)}".`);
      await ledger.of(owner, "file").append(asked.draft, asked.consequences);
      if (shown.get(id) !== path) rmSync(join(folder, path), { force: true });
      return;
    }
    const kind = kinds.get(row.kind);
    const worker = kind && row.lease === null && ways.get(row.kind)?.worker?.(recordOf(row));
    const isClaim = pathOf({ ...row, lease: { holder: "", fence: 0, claimedAt: 0 } }) === path;
    rmSync(join(folder, path), { force: true });
    if (kind && worker && isClaim && row.lane !== null) {
      const holder = `${holderPrefix}${worker.name}`;
      const { queue, lane } = row;
      await ledger.work.claim({ kind, queue, lane, holder, leaseMs: worker.leaseMs, limit: 1 });
    }
    show(model.rows.get(id) ?? row);
  };

  /** What a worker wrote, or null when its lease is over. */
  const takeResult = async (row: Row, { ledger, ways }: Outside): Promise<void> => {
    const path = join(folder, "state", "results", `${row.id}.json`);
    const isOver = (row.wakeAt ?? 0) <= now();
    if (!existsSync(path) && !isOver) return;
    const json: unknown = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null;
    const record = recordOf(row) as Claimed; // it has a lease
    const verdict = await ways.get(row.kind)?.result?.(record, json);
    if (verdict === undefined) return;
    await ledger.work.settle({
      id: row.id,
      revision: row.revision,
      fence: record.lease.fence,
      ...verdict,
    });
  };

  const scan = async (outside: Outside): Promise<void> => {
    const paths = filesIn(folder, "queue").filter((path) => ![...shown.values()].includes(path));
    for (const path of paths) {
      await takeFile(path, outside).catch((error: unknown) =>
        setAside(folder, path, String(error)),
      );
    }
    for (const row of model.rows.values()) {
      if (row.lease?.holder.startsWith(holderPrefix)) await takeResult(row, outside);
    }
  };
  return { store, scan };
}

function filesIn(folder: string, under: string): readonly string[] {
  if (!existsSync(join(folder, under))) return [];
  const found = readdirSync(join(folder, under), { recursive: true, withFileTypes: true });
  const files = found.filter((each) => each.isFile() && each.name.endsWith(".json"));
  return files.map((each) => join(each.parentPath, each.name).slice(folder.length + 1));
}

function setAside(folder: string, path: string, reason: string): void {
  mkdirSync(join(folder, "quarantine"), { recursive: true });
  const to = join(folder, "quarantine", basename(path));
  renameSync(join(folder, path), to);
  writeFileSync(`${to}.reason`, reason);
}
