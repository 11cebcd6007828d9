import { findByStart, noRecord } from "../../../kernel/id-prefix.ts";
import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { recordsIn } from "../../../kernel/list-all.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import { type WorkspaceKind, workspaceKind } from "../kind.ts";

export type Workspace = LedgerRecord<WorkspaceKind>;

/** The most workspaces that are searched. */
const workspacesMax = 10_000;

/** Finds a workspace by id, by name, or by the start of the id. One of another owner or another kind gives the same error as a missing one. */
export async function findWorkspace(book: Book, which: string): Promise<Workspace> {
  const record = await book.get(which);
  if (is(workspaceKind, record)) return record;
  const found = (await liveNamed(book, which)) ?? (await findByStart(book, which, [workspaceKind]));
  if (found !== undefined) return found;
  throw noRecord("workspace", which, ": see daybook workspace list");
}

/** Finds a workspace that can still be changed. */
export async function findKept(book: Book, which: string): Promise<Workspace> {
  const record = await findWorkspace(book, which);
  if (!isDeleted(record)) return record;
  const sentence = `The workspace ${quote(record.body.name)} was deleted: create another one with daybook workspace create.`;
  throw new DaybookError("ended", sentence, { details: { id: record.id } });
}

export function isDeleted({ body, endedAt, cancelling }: Workspace): boolean {
  return body.deletedAt !== null || endedAt !== null || cancelling;
}

/** The one live workspace with the name. */
export async function liveNamed(book: Book, name: string): Promise<Workspace | undefined> {
  const same = name.toLowerCase();
  return (await workspacesIn(book)).find(({ body }) => body.name.toLowerCase() === same);
}

/** All live workspaces of the book. */
export async function workspacesIn(book: Book): Promise<readonly Workspace[]> {
  return Array.fromAsync(recordsIn(book, { kind: workspaceKind, live: true }, workspacesMax));
}
