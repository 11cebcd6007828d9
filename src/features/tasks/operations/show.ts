import * as z from "zod";
import { operation, type Reader } from "../../../kernel/operation.ts";
import { bookOf, find } from "../../../kernel/own-book.ts";
import { fromIso } from "../../../platform/iso-time.ts";
import { oneLine } from "../../../platform/text.ts";
import { inWords } from "../../../time/times.ts";
import { taskKind } from "../kind.ts";
import { handledTasks } from "../ports.ts";
import { textsOf } from "../texts.ts";
import { exampleRunId, runId } from "./inputs.ts";
import { runView, shownRunOf, standingOf, type RunView } from "./view.ts";

const charsMax = 500;

export const showRun = operation({
  name: "get_run",
  summary: "Show one run, whole but for its output.",
  input: z.strictObject({ id: runId }),
  output: runView,
  aliases: { run_id: "id" },
  example: { id: exampleRunId },
  route: { method: "GET", path: "/v1/runs/{id}", also: "/v1/tasks/{id}" },
  command: { name: "show-run", positionals: ["id"] },
  async run({ id }, context) {
    const book = bookOf(context);
    return shownRunOf(book, await find(book, taskKind, id), context.use(handledTasks));
  },
  render: sayRun,
});

/** Where a run stands, why, and what it said first. */
function sayRun(run: RunView, reader: Reader): string {
  const texts = textsOf(reader.language);
  const { id, name, input_required: question, reason, exit } = run;
  const at = run.finished_at ?? run.started_at ?? run.due_at;
  const when = `${inWords(fromIso(at), reader.zone, reader.language)} ${reader.zone}`;
  return [
    texts.runIs({ name, id, state: standingOf(run), when }),
    ...(reason === null ? [] : [oneLine(texts.reason(reason), charsMax)]),
    ...(exit === null ? [] : [texts.exitedWith(exit)]),
    ...(run.progress === null ? [] : [oneLine(run.progress, charsMax)]),
    ...(run.output_summary === null ? [] : [oneLine(run.output_summary, charsMax)]),
    ...(question === null ? [] : [texts.asksForAnswer(questionOf(question))]),
  ].join("\n");
}

function questionOf({ id, question, choices }: NonNullable<RunView["input_required"]>): {
  question: string;
  choices: string;
  id: string;
} {
  return { question: oneLine(question, charsMax), choices: choices.join(" / "), id };
}
