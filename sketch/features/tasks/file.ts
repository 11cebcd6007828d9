import { fileLayout } from "../../kernel/files.ts";
import { task, type TaskKind } from "./kind.ts";

function folderOf(state: TaskKind["live"] | TaskKind["end"], leased: boolean): string {
  if (state === "pending") return leased ? "in_progress" : "pending";
  return state === "needs_human" ? "in_progress" : "completed";
}

export const taskFiles = fileLayout({
  kind: task,
  folder: "tasks",
  stateFolder: folderOf,
  view: ({ id, body, state, lease }) => ({
    id,
    target_general: body.event?.handler ?? body.name,
    payload: body.input,
    status: folderOf(state, lease !== null),
  }),
});
