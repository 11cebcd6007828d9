import * as z from "zod";
import { bookOf, findRecord } from "../../../kernel/book.ts";
import { operation, type Reader } from "../../../kernel/operation.ts";
import { fromIso } from "../../../platform/iso-time.ts";
import { oneLine } from "../../../platform/text.ts";
import { inWords } from "../../../time/times.ts";
import type { en } from "../en.ts";
import { taskKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { answerCommand } from "./handler-view.ts";
import { exampleRunId, runId } from "./inputs.ts";
import { runView, runViewOf, statusLabel, type RunView } from "./view.ts";

const charsMax = 500;

export const showRun = operation({
  name: "get_run",
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

/** The state of a run, the reason, and the start of its output. */
function renderRun(run: RunView, reader: Reader): string {
  const texts = textsOf(reader.language);
  const { id, name, input_required: question, reason, exit } = run;
  const at = run.finished_at ?? run.started_at ?? run.due_at;
  const when = `${inWords(fromIso(at), reader.zone, reader.language)} ${reader.zone}`;
  return [
    texts.runLine({ name, id, state: statusLabel(run), when }),
    ...(reason === null ? [] : [oneLine(texts.reason(reason), charsMax)]),
    ...(exit === null ? [] : [texts.exitedWith(exit)]),
    ...(run.progress === null ? [] : [oneLine(run.progress, charsMax)]),
    ...(run.output_summary === null ? [] : [oneLine(run.output_summary, charsMax)]),
    ...(question === null ? [] : [texts.inputRequired(questionOf(id, question))]),
  ].join("\n");
}

function questionOf(
  runId: string,
  asked: NonNullable<RunView["input_required"]>,
): Parameters<typeof en.inputRequired>[0] {
  return {
    question: oneLine(asked.question, charsMax),
    choices: asked.choices.join(" / "),
    command: answerCommand(runId, asked),
  };
}
