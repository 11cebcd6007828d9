import { widthOf } from "./display-width.ts";

export type Tone = "good" | "bad" | "attention" | "dim";

export interface Cell {
  readonly text: string;
  readonly tone?: Tone | undefined;
}

export interface Layout {
  readonly label: string;
  /** Ids are shortened at a terminal. */
  readonly isId?: true;
  /** A number, whose digits are aligned. */
  readonly isNumber?: true;
  /** Where there is little room, the text is cut, but not below this width. Absent: it is never cut. */
  readonly widthMin?: number;
  /** Left out where there is little room. */
  readonly isExtra?: true;
  /** Where there is little room, it stands below its row. */
  readonly isNote?: true;
}

export interface Table {
  readonly columns: readonly Layout[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Between two columns. */
export const gap = "  ";

/** The columns for which it is true. */
export function only(
  { columns, rows }: Table,
  isKept: (column: Layout, at: number) => boolean,
): Table {
  const kept = columns.map(isKept);
  return {
    columns: columns.filter((_, at) => kept[at]),
    rows: rows.map((row) => row.filter((_, at) => kept[at])),
  };
}

export function withHeader({ columns, rows }: Table): Table {
  const header = columns.map(({ label }): Cell => ({ text: label, tone: "dim" }));
  return { columns, rows: [header, ...rows] };
}

export function naturalWidths({ columns, rows }: Table): number[] {
  return columns.map((_, at) => Math.max(0, ...rows.map((row) => widthOf(row[at]?.text ?? ""))));
}

/** The widths in which the table fits: the widest text is cut first. Undefined: it does not fit. */
export function fitted(grid: Table, width: number): number[] | undefined {
  const widths = naturalWidths(grid);
  const gaps = gap.length * (widths.length - 1);
  let over = widths.reduce((sum, each) => sum + each, gaps) - width;
  while (over > 0) {
    const widest = widestToCut(grid, widths);
    if (widest === undefined) return undefined;
    widths[widest] = (widths[widest] ?? 0) - 1;
    over -= 1;
  }
  return widths;
}

function widestToCut({ columns }: Table, widths: readonly number[]): number | undefined {
  let found: number | undefined;
  columns.forEach((column, at) => {
    const width = widths[at] ?? 0;
    if (isNote(column) || width <= (column.widthMin ?? Infinity)) return;
    if (found === undefined || width > (widths[found] ?? 0)) found = at;
  });
  return found;
}

export function isNote(column: Layout): boolean {
  return column.isNote === true;
}
