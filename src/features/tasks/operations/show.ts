import * as z from "zod";
import { bookOf, findRecord } from "../../../kernel/book.ts";
import { operation } from "../../../kernel/operation.ts";
import { taskKind } from "../kind.ts";
import { exampleRunId, runId } from "./inputs.ts";
import { renderRun } from "./sheet.ts";
import { runView, runViewOf } from "./view.ts";

export const showRun = operation({
  name: "show_run",
  oldNames: ["get_run"],
  summary: "Show a run, without its complete output.",
  input: z.strictObject({ id: runId }),
  output: runView,
  aliases: { run_id: "id" },
  example: { id: exampleRunId },
  route: { method: "GET", path: "/v1/runs/{id}", also: "/v1/tasks/{id}" },
  command: { name: "run show", aliases: ["show-run"], positionals: ["id"] },
  async run({ id }, context) {
    return runViewOf(await findRecord(bookOf(context), taskKind, id), context);
  },
  render: renderRun,
});
