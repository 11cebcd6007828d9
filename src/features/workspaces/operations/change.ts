import type { Context } from "../../../kernel/operation.ts";
import { bookOf, untilFresh } from "../../../kernel/own-book.ts";
import type { EditOf } from "../../../kernel/unit.ts";
import type { WorkspaceKind } from "../kind.ts";
import { findKept, type Workspace } from "./find-workspace.ts";
import { told } from "./refusals.ts";

export interface Changed {
  readonly record: Workspace;
  /** False: it was so before. */
  readonly changed: boolean;
}

/** Changes one on what was read; undefined: there is nothing to change. */
export async function changeWorkspace(
  which: string,
  context: Context,
  edit: (record: Workspace) => EditOf<WorkspaceKind> | undefined,
): Promise<Changed> {
  const book = bookOf(context);
  return untilFresh(async () => {
    const record = await findKept(book, which);
    const request = edit(record);
    if (request === undefined) return { record, changed: false };
    try {
      return { record: await book.edit(request), changed: true };
    } catch (error) {
      throw await told(error, request.body?.name ?? record.body.name, context);
    }
  });
}
