import type { Reader } from "../../../kernel/operation.ts";
import { renderSheet, type SheetRow } from "../../accounts/index.ts";
import { textsOf } from "../texts.ts";
import type { CalendarView } from "./view.ts";

/** A calendar with its settings and how it stands, for people. */
export function renderCalendar(view: CalendarView, reader: Reader): string {
  const texts = textsOf(reader.language);
  const { id, name, kind, state, place } = view;
  const head = texts.headline({ kind: "calendar", id, state, when: view.synced_at, target: null });
  const shows = ["notifications", ...view.shows].join(", ");
  const rows: readonly SheetRow[] = [
    ["name", name],
    ["source", place === null ? kind : `${kind} ${place}`],
    ["result", texts.synced(view.counts)],
    ["failures", view.failures === 0 ? null : String(view.failures)],
    ["why", view.reason],
    ["waits", view.brake && texts.notices.brake({ id, ...view.brake })],
  ];
  return renderSheet(
    head,
    rows,
    reader,
    texts.shows({ shows, edits: view.edits, busy: view.busy }),
  );
}
