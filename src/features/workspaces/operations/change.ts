import * as z from "zod";
import { bookOf, retryIfStale } from "../../../kernel/book.ts";
import { type Context, operation } from "../../../kernel/operation.ts";
import type { EditOf } from "../../../kernel/unit.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { fromIso, isoOr } from "../../../platform/iso-time.ts";
import { present } from "../../../platform/json.ts";
import { inWords } from "../../../time/times.ts";
import { revision } from "../../tasks/index.ts";
import { levelEdit, settingsEdit, renameEdit, deletionEdit, recoveryEdit } from "../edits.ts";
import type { WorkspaceKind } from "../kind.ts";
import { requestContext } from "../ports.ts";
import { textsOf } from "../texts.ts";
import { findKept, type Workspace, findWorkspace, isDeleted } from "./find-workspace.ts";
import { levelInput, ttlAliases, ttlInputs, ttlsOf, workspaceId } from "./inputs.ts";
import { nextSlotAt } from "./next-slot.ts";
import { refusalOf } from "./refusals.ts";
import { errorLines } from "./show.ts";
import { shownWorkspace, workspaceView } from "./view.ts";

export interface Changed {
  readonly record: Workspace;
  /** False: nothing had to change. */
  readonly changed: boolean;
}

/** Edits a workspace as it was read; an edit that is undefined changes nothing. */
export async function changeWorkspace(
  which: string,
  context: Context,
  edit: (record: Workspace) => EditOf<WorkspaceKind> | undefined,
): Promise<Changed> {
  const book = bookOf(context);
  return retryIfStale(async () => {
    const record = await findKept(book, which);
    const request = edit(record);
    if (request === undefined) return { record, changed: false };
    try {
      return { record: await book.edit(request), changed: true };
    } catch (error) {
      throw await refusalOf(error, request.body?.name ?? record.body.name, context);
    }
  });
}

const input = z.strictObject({
  id: workspaceId,
  name: z.string().min(1).optional().describe("the new name"),
  description: z.string().nullable().optional().describe("what the workspace is for"),
  memo: z.string().nullable().optional().describe("your own note"),
  desired_state: levelInput
    .optional()
    .describe("the desired state: RUNNING, STANDBY (asleep) or PENDING (archived)"),
  ...ttlInputs,
  revision,
});
type Input = z.infer<typeof input>;

export const changedView = workspaceView.extend({
  changed: z.boolean().describe("false: nothing had to change"),
});

export const setWorkspace = operation({
  name: "edit_workspace",
  oldNames: ["set_workspace"],
  summary: "Change the name, the desired state or the sleep times of a workspace.",
  input,
  output: changedView,
  aliases: ttlAliases,
  example: { id: "scratch", memo: "for trials", archive_after: "3d" },
  route: { method: "PATCH", path: "/v1/workspaces/{id}" },
  command: { name: "workspace edit", aliases: ["workspace set"], positionals: ["id"] },
  async run(request, context): Promise<z.infer<typeof changedView>> {
    const { record, changed } = await setOn(request, context);
    return { ...shownWorkspace(record), changed };
  },
  render(view, reader) {
    const texts = textsOf(reader.language);
    const first = view.changed ? texts.changed(view.name) : texts.sameAsBefore(view.name);
    return [first, ...errorLines(view, reader)].join("\n");
  },
});

function setOn(request: Input, context: Context): Promise<Changed> {
  const at = requestContext(context);
  return changeWorkspace(request.id, context, (record) => {
    const { revision: expected = record.revision } = request;
    if (expected !== record.revision) {
      const details = { revision: record.revision };
      throw new DaybookError(
        "stale",
        `The workspace is in revision ${record.revision}, not ${expected}: read it again.`,
        { details },
      );
    }
    return editOf(record, request, at);
  });
}

/** One edit of all requested changes, each by its own rule. */
function editOf(
  record: Workspace,
  request: Input,
  at: ReturnType<typeof requestContext>,
): EditOf<WorkspaceKind> | undefined {
  const { name, description, memo, desired_state: desired } = request;
  const settings = present({ description, memo, ...ttlsOf(request) });
  let edit: EditOf<WorkspaceKind> | undefined;
  let now = record;
  const step = (next: EditOf<WorkspaceKind>): void => {
    edit = { ...edit, ...next };
    now = { ...now, body: next.body ?? now.body };
  };
  if (Object.keys(settings).length > 0) step(settingsEdit(now, settings, at));
  if (desired !== undefined) step(levelEdit(now, desired, at));
  if (name !== undefined && name !== record.body.name) step(renameEdit(now, name, at));
  return edit;
}

export const deleteWorkspace = operation({
  name: "delete_workspace",
  summary: "Delete a workspace: its machine and its files at once, its archives later.",
  input: z.strictObject({ id: workspaceId }),
  output: workspaceView.extend({
    deleted: z.boolean().describe("false: it was deleted before"),
    next_slot_at: z
      .string()
      .nullable()
      .describe("when a schedule runs in a workspace of its name next: null if none does"),
  }),
  example: { id: "scratch" },
  route: { method: "DELETE", path: "/v1/workspaces/{id}" },
  command: { name: "workspace delete", positionals: ["id"] },
  async run({ id }, context) {
    const book = bookOf(context);
    return retryIfStale(async () => {
      const record = await findWorkspace(book, id);
      const next_slot_at = isoOr(await nextSlotAt(record, context));
      if (isDeleted(record)) return { ...shownWorkspace(record), deleted: false, next_slot_at };
      const after = await book.edit(deletionEdit(record, context.now()));
      return { ...shownWorkspace(after), deleted: true, next_slot_at };
    });
  },
  render({ name, next_slot_at: next }, { language, zone }) {
    const texts = textsOf(language);
    if (next === null) return texts.deleted(name);
    const runs = texts.runsAgain(inWords(fromIso(next), zone, language));
    return `${texts.deleted(name)}\n${runs}`;
  },
});

export const recoverWorkspace = operation({
  name: "recover_workspace",
  summary: "Recover a workspace from ERROR, to the state it had before.",
  input: z.strictObject({ id: workspaceId }),
  output: workspaceView,
  example: { id: "scratch" },
  route: { method: "POST", path: "/v1/workspaces/{id}/recover" },
  command: { name: "workspace recover", aliases: ["recover"], positionals: ["id"] },
  async run({ id }, context) {
    return shownWorkspace((await changeWorkspace(id, context, recoveryEdit)).record);
  },
  render: ({ name, display }, { language }) => textsOf(language).recovered({ name, display }),
});
