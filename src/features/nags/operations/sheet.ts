import type { Reader } from "../../../kernel/operation.ts";
import { harmless, oneLine } from "../../../platform/text.ts";
import { createdRow, renderSheet, type SheetRow, zonedTime } from "../../accounts/index.ts";
import { textsOf as notificationTexts } from "../../notifications/index.ts";
import { textsOf } from "../texts.ts";
import type { NagView } from "./view.ts";

/** A nag with all that was asked for and all that happened, for people. */
export function renderNag(view: NagView, reader: Reader): string {
  const texts = textsOf(reader.language);
  const { id, state, next, ended_at: end, target, target_because: because } = view;
  const when = end === null ? (next?.text ?? null) : zonedTime(end, reader);
  const head = texts.headline({ kind: "nag", id, state, when, target: null });
  const why =
    because === null ? "" : `; ${notificationTexts(reader.language).targetBecause(because)}`;
  const rows: readonly SheetRow[] = [
    ["target", `${target}${why}`],
    ["curve", view.curve],
    ["waits", view.waiting?.text ?? null],
    ["why", view.reason === null ? null : harmless(texts.reason(view.reason))],
    ["sent", texts.sentTimes(view.said)],
    ["failures", view.failures === 0 ? null : String(view.failures)],
    ["priority", view.priority],
    ["page", view.about.page ?? null],
    ["receipt", view.last_notification_id],
    createdRow(view, reader),
  ];
  return renderSheet(head, rows, reader, harmless(view.about.text ?? oneLine(view.title, 200)));
}
