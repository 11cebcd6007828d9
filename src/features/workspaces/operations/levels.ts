import * as z from "zod";
import { operation, type Context, type Reader } from "../../../kernel/operation.ts";
import { levelEdit, touchEdit } from "../edits.ts";
import type { Level } from "../kind.ts";
import { requestContext } from "../ports.ts";
import { textsOf } from "../texts.ts";
import { changeWorkspace, changedView } from "./change.ts";
import { workspaceId } from "./inputs.ts";
import { errorLines } from "./show.ts";
import { shownWorkspace } from "./view.ts";

type Output = z.infer<typeof changedView>;

export const touchWorkspace = operation({
  name: "touch_workspace",
  summary: "Mark a workspace as used, so that it does not sleep yet.",
  input: z.strictObject({ id: workspaceId }),
  output: changedView,
  example: { id: "scratch" },
  route: { method: "POST", path: "/v1/workspaces/{id}/touch" },
  command: { name: "workspace touch", aliases: ["touch"], positionals: ["id"] },
  async run({ id }, context): Promise<Output> {
    const { now, limits } = requestContext(context);
    const done = await changeWorkspace(id, context, (record) => touchEdit(record, now, limits));
    return { ...shownWorkspace(done.record), changed: done.changed };
  },
  render: ({ name }, { language }) => textsOf(language).touched(name),
});

export const archiveWorkspace = operation({
  name: "archive_workspace",
  summary: "Archive a workspace: stop its machine and archive its files.",
  input: z.strictObject({ id: workspaceId }),
  output: changedView,
  example: { id: "scratch" },
  route: { method: "POST", path: "/v1/workspaces/{id}/archive" },
  command: { name: "workspace archive", aliases: ["archive"], positionals: ["id"] },
  run: ({ id }, context): Promise<Output> => requestedLevel(id, "PENDING", context),
  render: (view, reader) => levelLines(view, reader),
});

export const restoreWorkspace = operation({
  name: "restore_workspace",
  summary: "Start a workspace, from its archive if it is archived.",
  input: z.strictObject({ id: workspaceId }),
  output: changedView,
  example: { id: "scratch" },
  route: { method: "POST", path: "/v1/workspaces/{id}/restore" },
  command: { name: "workspace restore", aliases: ["restore"], positionals: ["id"] },
  run: ({ id }, context): Promise<Output> => requestedLevel(id, "RUNNING", context),
  render: (view, reader) => levelLines(view, reader),
});

async function requestedLevel(id: string, desired: Level, context: Context): Promise<Output> {
  const at = requestContext(context);
  const { record, changed } = await changeWorkspace(id, context, (read) =>
    levelEdit(read, desired, at),
  );
  return { ...shownWorkspace(record), changed };
}

function levelLines(view: Output, reader: Reader): string {
  const { name, desired_state: desired } = view;
  const first = textsOf(reader.language).goesTo({ name, desired });
  return [first, ...errorLines(view, reader)].join("\n");
}
