import * as z from "zod";
import { bookOf, retryIfStale } from "../../../kernel/book.ts";
import { type Context, operation } from "../../../kernel/operation.ts";
import type { EditOf } from "../../../kernel/unit.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { revision } from "../../tasks/index.ts";
import type { WorkspaceKind } from "../kind.ts";
import { requestContext } from "../ports.ts";
import { requestLevel, describes, renamed, deleted, recovered } from "../request.ts";
import { textsOf } from "../texts.ts";
import { findKept, type Workspace, findWorkspace, isDeleted } from "./find-workspace.ts";
import { levelInput, ttlAliases, ttlInputs, ttlsOf, workspaceId } from "./inputs.ts";
import { told } from "./refusals.ts";
import { faultLines } from "./show.ts";
import { shownWorkspace, workspaceView } from "./view.ts";

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
  return retryIfStale(async () => {
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

const input = z.strictObject({
  id: workspaceId,
  name: z.string().min(1).optional().describe("what to call it from now on"),
  description: z.string().nullable().optional().describe("what it is for"),
  memo: z.string().nullable().optional().describe("a note of yours"),
  desired_state: levelInput
    .optional()
    .describe("what it should be: RUNNING, STANDBY (asleep) or PENDING (archived)"),
  ...ttlInputs,
  revision,
});
type Input = z.infer<typeof input>;

export const changedView = workspaceView.extend({
  changed: z.boolean().describe("false: it was so before"),
});

export const setWorkspace = operation({
  name: "set_workspace",
  summary: "Change what a workspace is called, what it should be, or when it sleeps.",
  input,
  output: changedView,
  aliases: ttlAliases,
  example: { id: "scratch", memo: "for trials", archive_after: "3d" },
  route: { method: "PATCH", path: "/v1/workspaces/{id}" },
  command: { name: "workspace set", positionals: ["id"] },
  async run(request, context): Promise<z.infer<typeof changedView>> {
    const { record, changed } = await setOn(request, context);
    return { ...shownWorkspace(record), changed };
  },
  render(view, reader) {
    const texts = textsOf(reader.language);
    const first = view.changed ? texts.changed(view.name) : texts.sameAsBefore(view.name);
    return [first, ...faultLines(view, reader)].join("\n");
  },
});

/** `check` throws for one that may not be changed now. */
function setOn(
  request: Input,
  context: Context,
  check: (record: Workspace) => void = () => undefined,
): Promise<Changed> {
  const at = requestContext(context);
  return changeWorkspace(request.id, context, (record) => {
    check(record);
    const { revision: known = record.revision } = request;
    if (known !== record.revision) {
      const details = { revision: record.revision };
      throw new DaybookError("stale", "It has changed meanwhile: look at it again.", { details });
    }
    return editOf(record, request, at);
  });
}

/** One edit of all that was said, each part as its own rule has it. */
function editOf(
  record: Workspace,
  request: Input,
  at: ReturnType<typeof requestContext>,
): EditOf<WorkspaceKind> | undefined {
  const { name, description, memo, desired_state: desired } = request;
  const said = {
    ...(description === undefined ? {} : { description }),
    ...(memo === undefined ? {} : { memo }),
    ...ttlsOf(request),
  };
  let edit: EditOf<WorkspaceKind> | undefined;
  let now = record;
  const step = (next: EditOf<WorkspaceKind>): void => {
    edit = { ...edit, ...next };
    now = { ...now, body: next.body ?? now.body };
  };
  if (Object.keys(said).length > 0) step(describes(now, said, at));
  if (desired !== undefined) step(requestLevel(now, desired, at));
  if (name !== undefined && name !== record.body.name) step(renamed(now, name, at));
  return edit;
}

export const deleteWorkspace = operation({
  name: "delete_workspace",
  summary: "Keep a workspace no more: its machine and its files go, and later its archives.",
  input: z.strictObject({ id: workspaceId }),
  output: workspaceView.extend({ deleted: z.boolean().describe("false: it was deleted before") }),
  example: { id: "scratch" },
  route: { method: "DELETE", path: "/v1/workspaces/{id}" },
  command: { name: "workspace delete", positionals: ["id"] },
  async run({ id }, context) {
    const book = bookOf(context);
    return retryIfStale(async () => {
      const record = await findWorkspace(book, id);
      if (isDeleted(record)) return { ...shownWorkspace(record), deleted: false };
      const after = await book.edit(deleted(record, context.now()));
      return { ...shownWorkspace(after), deleted: true };
    });
  },
  render: ({ name }, { language }) => textsOf(language).deleted(name),
});

export const recoverWorkspace = operation({
  name: "recover_workspace",
  summary: "Try a workspace again that is in ERROR, from where it was before.",
  input: z.strictObject({ id: workspaceId }),
  output: workspaceView,
  example: { id: "scratch" },
  route: { method: "POST", path: "/v1/workspaces/{id}/recover" },
  command: { name: "recover", positionals: ["id"] },
  async run({ id }, context) {
    return shownWorkspace((await changeWorkspace(id, context, recovered)).record);
  },
  render: ({ name, display }, { language }) => textsOf(language).recovered({ name, display }),
});
