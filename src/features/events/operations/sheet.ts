import type * as z from "zod";
import type { Reader } from "../../../kernel/operation.ts";
import { harmless, oneLine } from "../../../platform/text.ts";
import {
  createdRow,
  jsonRow,
  renderSheet,
  type SheetRow,
  timeRow,
  zonedTime,
} from "../../accounts/index.ts";
import { sentLine } from "../../notifications/index.ts";
import { textsOf } from "../texts.ts";
import { eventState, type eventView, type workFields } from "./event-view.ts";
import type { questionView } from "./questions.ts";

type Shown = z.infer<typeof eventView> &
  z.infer<z.ZodObject<typeof workFields>> & {
    readonly questions: readonly z.infer<typeof questionView>[];
  };

/** An event with its tasks, questions and messages, for people. */
export function renderShownEvent(view: Shown, reader: Reader): string {
  const texts = textsOf(reader.language);
  const { id, name, ended_at: end, reason } = view;
  const when = end === null ? null : zonedTime(end, reader);
  const rows: readonly SheetRow[] = [
    ["name", name === id ? null : harmless(name)],
    ["type", view.type],
    ["why", reason === null ? null : harmless(texts.reason(reason))],
    ["source", view.source],
    ["repo", view.repo],
    timeRow("due", view.at, reader),
    ["handler", view.handler],
    ["priority", view.priority],
    ["tasks", view.tasks.map((task) => texts.handledBy({ id: task.id, state: task.status }))],
    ["waits", view.tasks.flatMap(({ waiting }) => waiting?.text ?? [])],
    [
      "question",
      view.questions.map(({ text, ...each }) =>
        texts.questionIs({ ...each, text: oneLine(text, 80), state: texts.state(each.state) }),
      ),
    ],
    ["messages", view.messages.map((each) => sentLine(each, reader))],
    ["origin", view.origin],
    createdRow(view, reader),
    jsonRow("payload", Object.keys(view.payload).length === 0 ? null : view.payload),
  ];
  return renderSheet(
    texts.headline({ kind: "event", id, state: eventState(view), when, target: null }),
    rows,
    reader,
  );
}
