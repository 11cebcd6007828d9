import * as z from "zod";
import { operation, type Context } from "../../../kernel/operation.ts";
import type { EditOf } from "../../../kernel/unit.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { revision } from "../../tasks/operations/inputs.ts";
import type { WorkspaceKind } from "../kind.ts";
import { askedAt } from "../ports.ts";
import { asksFor, describes, renamed } from "../request.ts";
import { textsOf } from "../texts.ts";
import { changeWorkspace, type Changed } from "./change.ts";
import type { Workspace } from "./find-workspace.ts";
import { levelInput, ttlAliases, ttlInputs, ttlsOf, workspaceId } from "./inputs.ts";
import { faultLines } from "./show.ts";
import { shownWorkspace, workspaceView } from "./view.ts";

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
  scope: "write",
  effect: "changes",
  route: { method: "PATCH", path: "/v1/workspaces/{id}" },
  command: { name: "workspace set", positionals: ["id"] },
  tool: "on request",
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
  const at = askedAt(context);
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
  at: ReturnType<typeof askedAt>,
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
  if (desired !== undefined) step(asksFor(now, desired, at));
  if (name !== undefined && name !== record.body.name) step(renamed(now, name, at));
  return edit;
}
