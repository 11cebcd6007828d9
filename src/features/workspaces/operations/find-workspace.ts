import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { recordsIn } from "../../../kernel/list-all.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import { type WorkspaceKind, workspaceKind } from "../kind.ts";

export type Workspace = LedgerRecord<WorkspaceKind>;

/** So many are looked through at most. */
const workspacesMax = 10_000;

/** By its id or its name: what is another's, of another kind or nowhere answers alike. */
export async function findWorkspace(book: Book, which: string): Promise<Workspace> {
  const record = await book.get(which);
  if (is(workspaceKind, record)) return record;
  const named = await liveNamed(book, which);
  if (named !== undefined) return named;
  const sentence = `There is no workspace ${quote(which)} in this book: see daybook workspaces.`;
  throw new DaybookError("not_found", sentence, { details: { id: which } });
}

/** One that can still be changed. */
export async function findKept(book: Book, which: string): Promise<Workspace> {
  const record = await findWorkspace(book, which);
  if (!isDeleted(record)) return record;
  const sentence = `The workspace ${quote(record.body.name)} was deleted: make another one with daybook keep.`;
  throw new DaybookError("ended", sentence, { details: { id: record.id } });
}

export function isDeleted({ body, endedAt, cancelling }: Workspace): boolean {
  return body.deletedAt !== null || endedAt !== null || cancelling;
}

/** Only one of those that live has the name. */
export async function liveNamed(book: Book, name: string): Promise<Workspace | undefined> {
  const same = name.toLowerCase();
  return (await workspacesIn(book)).find(({ body }) => body.name.toLowerCase() === same);
}

/** All of the book that live. */
export async function workspacesIn(book: Book): Promise<readonly Workspace[]> {
  return Array.fromAsync(recordsIn(book, { kind: workspaceKind, live: true }, workspacesMax));
}
