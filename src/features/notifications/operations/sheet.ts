import type { Reader } from "../../../kernel/operation.ts";
import { harmless } from "../../../platform/text.ts";
import {
  createdRow,
  jsonRow,
  renderSheet,
  type SheetRow,
  timeRow,
  zonedTime,
} from "../../accounts/index.ts";
import { textsOf } from "../texts.ts";
import type { NotificationView } from "./view.ts";

/** A notification with all that was asked for and all that happened, for people. */
export function renderNotification(view: NotificationView, reader: Reader): string {
  const texts = textsOf(reader.language);
  const { id, state, target, due, ended_at: end, next_at: next } = view;
  const at = end ?? next;
  const when = at === null ? null : zonedTime(at, reader);
  const head = texts.headline({ kind: "notification", id, state, when, target: null });
  const because = view.target_because;
  const rows: readonly SheetRow[] = [
    ["target", because === null ? target : `${target}; ${texts.targetBecause(because)}`],
    ["due", due.text],
    ["waits", view.waiting?.text ?? null],
    ["why", view.reason === null ? null : harmless(texts.reason(view.reason))],
    ["type", view.type],
    ["priority", view.priority],
    timeRow("expires", view.expires_at, reader),
    ["once", view.at_most_once ? texts.atMostOnce() : null],
    ["collapse", view.collapse_key],
    ["task", view.related_task_id],
    ["question", view.related_question_id],
    ["attempts", view.attempts === 0 ? null : attempts(view, reader)],
    jsonRow("receipt", view.receipt),
    createdRow(view, reader),
    ["context", view.context === null ? null : harmless(view.context)],
  ];
  return renderSheet(head, rows, reader, harmless(view.message));
}

function attempts(
  { attempts: count, maybe_delivered: isUncertain, state }: NotificationView,
  reader: Reader,
): string {
  const suffix = isUncertain ? textsOf(reader.language).mayHaveArrived(state === "delivered") : "";
  return `${count}${suffix}`;
}
