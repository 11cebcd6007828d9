import type { Cell, Layout } from "../platform/table-grid.ts";
import { tableLines } from "../platform/table.ts";
import type { Reader } from "./operation.ts";

/** A column of a list: what it shows of each view. */
export interface Column<View> extends Omit<Layout, "label"> {
  label(reader: Reader): string;
  /** Null: nothing. */
  cell(view: View, reader: Reader): Cell | string | null;
}

/** The views as a table for the reader's terminal, or as plain lines for any other reader. */
export function renderTable<View>(
  columns: readonly Column<View>[],
  views: readonly View[],
  reader: Reader,
): string {
  const layouts = columns.map((column) => ({ ...column, label: column.label(reader) }));
  const rows = views.map((view) => columns.map(({ cell }) => cellOf(cell(view, reader))));
  return tableLines({ columns: layouts, rows }, reader.terminal).join("\n");
}

function cellOf(value: Cell | string | null): Cell {
  return typeof value === "object" && value !== null ? value : { text: value ?? "" };
}

interface ListTexts {
  /** The cursor of the next page. */
  readonly next: string | null;
  /** What an empty list means; the lines after the first, such as a command to type, are for the command line. */
  empty(reader: Reader): string;
  /** The line with the cursor of the next page. */
  more(next: string, reader: Reader): string;
}

/** A page of a list. Only at the command line it says what to type next: other interfaces have their own ways. */
export function renderList<View>(
  columns: readonly Column<View>[],
  views: readonly View[],
  reader: Reader,
  { next, empty, more }: ListTexts,
): string {
  const isTyped = reader.terminal !== undefined;
  if (views.length === 0 && next === null) {
    const [fact = "", ...advice] = empty(reader).split("\n");
    return [fact, ...(isTyped ? advice : [])].join("\n");
  }
  const lines = views.length === 0 ? [] : [renderTable(columns, views, reader)];
  return [...lines, ...(next === null || !isTyped ? [] : [more(next, reader)])].join("\n");
}
