import assert from "node:assert/strict";
import {
  unobservedWorkspace,
  type WorkspaceKind,
  type WorkspaceOutcome,
  workspaceKind,
} from "../src/features/workspaces/kind.ts";
import { is } from "../src/kernel/kind.ts";
import type { Book } from "../src/kernel/ledger.ts";

/** Writes the state that a controller observed. */
export async function observedAs(
  book: Book,
  id: string,
  state: WorkspaceKind["live"],
  outcome: Partial<WorkspaceOutcome> = {},
): Promise<void> {
  const before = await book.get(id);
  assert.ok(is(workspaceKind, before));
  const seen = { ...(before.outcome ?? unobservedWorkspace), ...outcome };
  await book.edit({ kind: "workspace", id, state, outcome: seen, wakeAt: 0 });
}
