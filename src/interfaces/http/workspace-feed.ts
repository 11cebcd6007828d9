import { workspaceKind } from "../../features/workspaces/kind.ts";
import type { Workspace } from "../../features/workspaces/operations/find-workspace.ts";
import { shownWorkspace, type WorkspaceView } from "../../features/workspaces/operations/view.ts";
import { is } from "../../kernel/kind.ts";
import type { Book } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";

/** One thing that is told. */
export interface Told {
  readonly name: "state_changed" | "error";
  readonly data: { readonly workspace_id: string } & Readonly<Record<string, unknown>>;
}

interface Which {
  /** Only this one; undefined: all of the book. */
  readonly id: string | undefined;
}

interface Place {
  readonly told: readonly Told[];
  readonly cursor: string | undefined;
}

const pageSize = 500;

/** Where it begins: where the listener left off, or with all as it is now. */
export async function beginning(
  book: Book,
  { id, last }: Which & { last: string | null },
): Promise<Place> {
  if (last !== null && last !== "") {
    await book.changes({ after: last, limit: 1 }); // what is no place is refused now
    return { told: [], cursor: last };
  }
  // First how far the feed is, then what is true: what changes in between is told again.
  const cursor = await endOf(book);
  const records = await standing(book, id);
  return { told: records.flatMap((record) => toldOf(shownWorkspace(record))), cursor };
}

async function standing(book: Book, id: string | undefined): Promise<readonly Workspace[]> {
  if (id === undefined)
    return Array.fromAsync(recordsIn(book, { kind: workspaceKind, live: true }));
  const record = await book.get(id);
  return is(workspaceKind, record) ? [record] : [];
}

/** The feed cannot be entered at its end: but the making of the newest record is near it. */
async function endOf(book: Book): Promise<string | undefined> {
  const [newest] = (await book.list({ order: "newest", limit: 1 })).records;
  if (newest === undefined) return undefined;
  const born = (await book.changes({ id: newest.id, limit: 1 })).cursor;
  for (let after = born; ;) {
    const { changes, cursor } = await book.changes({ after, limit: pageSize });
    after = cursor;
    if (changes.length < pageSize) return after;
  }
}

/** What has happened since a place, each workspace as it is now; what was told already is not told again. */
export function changesIn(
  book: Book,
  { id: only, told: before }: Which & { told: readonly Told[] },
): (after: string | undefined) => Promise<Place> {
  const said = new Map(before.map((each) => [keyOf(each), JSON.stringify(each.data)]));
  return async (after) => {
    const page = { limit: pageSize, ...(after === undefined ? {} : { after }) };
    const { changes, cursor } = await book.changes(page);
    const ours = changes.filter(
      ({ kind, id }) => kind === "workspace" && (only === undefined || id === only),
    );
    const told: Told[] = [];
    for (const id of new Set(ours.map((change) => change.id))) {
      const record = await book.get(id);
      if (is(workspaceKind, record)) told.push(...toldOf(shownWorkspace(record)));
    }
    return { told: told.filter((each) => isNews(said, each)), cursor };
  };
}

function isNews(said: Map<string, string>, each: Told): boolean {
  const text = JSON.stringify(each.data);
  if (said.get(keyOf(each)) === text) return false;
  said.set(keyOf(each), text);
  return true;
}

function keyOf({ name, data }: Told): string {
  return `${name} ${data.workspace_id}`;
}

function toldOf(view: WorkspaceView): readonly Told[] {
  const { id, status, display, operation, desired_state, error_info, error_count } = view;
  const state = { workspace_id: id, status, display, operation, desired_state };
  const deleted = view.deleted_at === null ? {} : { deleted_at: view.deleted_at };
  const error = error_info && {
    workspace_id: id,
    error_message: error_info.message,
    error_count,
    reason: error_info.reason,
  };
  return [
    { name: "state_changed", data: { ...state, ...deleted } },
    ...(error === null ? [] : [{ name: "error" as const, data: error }]),
  ];
}
