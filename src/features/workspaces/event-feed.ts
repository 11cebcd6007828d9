import { feedEnd } from "../../kernel/feed-end.ts";
import { is } from "../../kernel/kind.ts";
import type { Book } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import { workspaceKind } from "./kind.ts";
import type { Workspace } from "./operations/find-workspace.ts";
import { shownWorkspace, type WorkspaceView } from "./operations/view.ts";

/** One server-sent event. */
export interface WorkspaceEvent {
  readonly name: "state_changed" | "error";
  readonly data: { readonly workspace_id: string } & Readonly<Record<string, unknown>>;
}

interface Scope {
  /** Only this workspace; undefined for all of the book. */
  readonly id: string | undefined;
}

export interface FeedPage {
  readonly events: readonly WorkspaceEvent[];
  readonly cursor: string | undefined;
}

const pageSize = 500;

/** Continues after the last event id of the listener; without one it starts with the current state of all. */
export async function firstEvents(
  book: Book,
  { id, last }: Scope & { last: string | null },
): Promise<FeedPage> {
  if (last !== null && last !== "") {
    await book.changes({ after: last, limit: 1 }); // a malformed cursor is refused now
    return { events: [], cursor: last };
  }
  // The cursor first, then the state: a change in between is sent again.
  const cursor = await feedEnd(book);
  const records = await currentWorkspaces(book, id);
  return { events: records.flatMap((record) => eventsOf(shownWorkspace(record))), cursor };
}

async function currentWorkspaces(
  book: Book,
  id: string | undefined,
): Promise<readonly Workspace[]> {
  if (id === undefined)
    return Array.fromAsync(recordsIn(book, { kind: workspaceKind, live: true }));
  const record = await book.get(id);
  return is(workspaceKind, record) ? [record] : [];
}

/** Reads the changes after a cursor, each workspace as it is now; an unchanged event is not sent again. */
export function feedReader(
  book: Book,
  { id: only, events: before }: Scope & { events: readonly WorkspaceEvent[] },
): (after: string | undefined) => Promise<FeedPage> {
  const sent = new Map(before.map((each) => [keyOf(each), JSON.stringify(each.data)]));
  return async (after) => {
    const { changes, cursor } = await book.changes({ limit: pageSize, after });
    const ours = changes.filter(
      ({ kind, id }) => kind === "workspace" && (only === undefined || id === only),
    );
    const events: WorkspaceEvent[] = [];
    for (const id of new Set(ours.map((change) => change.id))) {
      const record = await book.get(id);
      if (is(workspaceKind, record)) events.push(...eventsOf(shownWorkspace(record)));
    }
    return { events: events.filter((each) => isNew(sent, each)), cursor };
  };
}

function isNew(sent: Map<string, string>, each: WorkspaceEvent): boolean {
  const text = JSON.stringify(each.data);
  if (sent.get(keyOf(each)) === text) return false;
  sent.set(keyOf(each), text);
  return true;
}

function keyOf({ name, data }: WorkspaceEvent): string {
  return `${name} ${data.workspace_id}`;
}

function eventsOf(view: WorkspaceView): readonly WorkspaceEvent[] {
  const { id, status, display, operation, desired_state, error_info, error_count } = view;
  const state = { workspace_id: id, status, display, operation, desired_state };
  const error = error_info && {
    workspace_id: id,
    error_message: error_info.message,
    error_count,
    reason: error_info.reason,
  };
  return [
    { name: "state_changed", data: { ...state, deleted_at: view.deleted_at ?? undefined } },
    ...(error === null ? [] : [{ name: "error" as const, data: error }]),
  ];
}
