import type { Reader } from "../../../kernel/operation.ts";
import { harmless } from "../../../platform/text.ts";
import { span } from "../../../time/times.ts";
import {
  createdRow,
  jsonRow,
  renderSheet,
  type SheetRow,
  timeRow,
  zonedTime,
} from "../../accounts/index.ts";
import { textsOf } from "../texts.ts";
import { answerCommand } from "./handler-view.ts";
import { statusLabel, type RunView } from "./view.ts";

/** A run with what it ran, how it went, and the start of its output, for people. */
export function renderRun(run: RunView, reader: Reader): string {
  const texts = textsOf(reader.language);
  const at = run.finished_at ?? run.next_at ?? run.started_at;
  const when = at === null ? null : zonedTime(at, reader);
  const head = texts.runLine({ name: run.name, id: run.id, state: statusLabel(run), when });
  const output = run.output_summary;
  return renderSheet(head, rowsOf(run, reader), reader, output === null ? null : harmless(output));
}

function rowsOf(run: RunView, reader: Reader): readonly SheetRow[] {
  const texts = textsOf(reader.language);
  const { reason, exit, cost, turn_count: turns, input_required: asked, event } = run;
  const question =
    asked === null ? null : [asked.question, ...asked.choices.map((each) => `- ${each}`)];
  const countRow = (name: "exit" | "cost" | "turns", count: number | null): SheetRow => {
    return [name, count === null ? null : String(count)];
  };
  return [
    ["why", reason === null ? null : harmless(texts.reason(reason))],
    ["waits", run.waiting?.text ?? null],
    ["question", question?.map(harmless) ?? null],
    ["answer", asked === null ? null : `daybook ${answerCommand(run.id, asked)} …`],
    ["schedule", run.schedule_id],
    timeRow("slot", run.slot, reader),
    ["event", event === null ? null : `${event.name} (${event.id}), ${event.type}`],
    ["handler", run.handler],
    ["runs", run.task],
    jsonRow("input", run.input),
    ["target", run.target],
    timeRow("due", run.due_at, reader),
    timeRow("started", run.started_at, reader),
    timeRow("ended", run.finished_at, reader),
    ["attempts", run.attempt === 0 ? null : String(run.attempt)],
    ["timeout", span(run.timeout * 1_000, reader.language)],
    countRow("exit", exit),
    countRow("turns", turns),
    countRow("cost", cost),
    ["progress", run.progress === null ? null : harmless(run.progress)],
    jsonRow("result", run.result),
    createdRow(run, reader),
  ];
}
