import type { Column } from "../../kernel/list-table.ts";
import type { Reader } from "../../kernel/operation.ts";
import { fromIso } from "../../platform/iso-time.ts";
import type { Tone } from "../../platform/table-grid.ts";
import { distance, nearWords } from "../../time/times.ts";
import { columnLabels } from "./column-labels.ts";
import { commonTexts } from "./texts.ts";

type ColumnName = keyof typeof columnLabels;
type Read<View, Value> = (view: View, reader: Reader) => Value;

/** The least width of a name or a target, and of a text, where there is little room. */
const nameWidthMin = 10;
const textWidthMin = 24;

export function idColumn<View>(read: Read<View, string>): Column<View> {
  return { label: labelOf("id"), isId: true, cell: read };
}

/** The state in the reader's language, coloured by what it means. */
export function stateColumn<View>(read: Read<View, string>): Column<View> {
  return {
    label: labelOf("state"),
    cell(view, reader) {
      const state = read(view, reader);
      return { text: commonTexts(reader.language).state(state), tone: toneOf(state) };
    },
  };
}

/** How far a time is, and the time itself where there is room. */
export function timeColumns<View>(
  name: ColumnName,
  read: Read<View, string | null>,
): readonly Column<View>[] {
  const rendered =
    (words: (at: number, reader: Reader) => string): Column<View>["cell"] =>
    (view, reader) => {
      const at = read(view, reader);
      return at === null ? null : words(fromIso(at), reader);
    };
  return [
    {
      label: labelOf(name),
      cell: rendered((at, { now, language }) => distance(at - now, language)),
    },
    { label: labelOf("at"), isExtra: true, cell: rendered(nearWords) },
  ];
}

/** A word that is never cut. */
export function wordColumn<View>(name: ColumnName, read: Read<View, string | null>): Column<View> {
  return { label: labelOf(name), cell: read };
}

export function numberColumn<View>(name: ColumnName, read: Read<View, number>): Column<View> {
  return {
    label: labelOf(name),
    isNumber: true,
    cell: (view, reader) => String(read(view, reader)),
  };
}

/** A name or a target. */
export function nameColumn<View>(name: ColumnName, read: Read<View, string | null>): Column<View> {
  return { label: labelOf(name), widthMin: nameWidthMin, cell: read };
}

export function textColumn<View>(name: ColumnName, read: Read<View, string | null>): Column<View> {
  return { label: labelOf(name), widthMin: textWidthMin, cell: read };
}

/** Why a record waits, is late or has failed. */
export function noteColumn<View>(read: Read<View, string | null>): Column<View> {
  return {
    label: labelOf("note"),
    isNote: true,
    widthMin: textWidthMin,
    cell: (view, reader) => ({ text: read(view, reader) ?? "", tone: "dim" }),
  };
}

function labelOf(name: ColumnName): (reader: Reader) => string {
  return ({ language }) => columnLabels[name][language];
}

const tones: Readonly<Record<Tone, readonly string[]>> = {
  good: ["delivered", "done", "completed", "answered", "sent", "running"],
  bad: ["failed", "error", "interrupted", "missed", "unconfirmed", "expired", "disabled"],
  attention: ["paused", "needs_human", "open"],
  dim: ["cancelled", "deleted", "discarded", "skipped", "unlinked"],
};

/** States that wait or are active have no colour. */
export function toneOf(state: string): Tone | undefined {
  const name = state.toLowerCase();
  return (Object.keys(tones) as Tone[]).find((tone) => tones[tone].includes(name)); // the keys of the table above
}
