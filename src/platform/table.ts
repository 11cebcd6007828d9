import { cutToWidth, widthOf } from "./display-width.ts";
import { shortIds } from "./short-id.ts";
import {
  fitted,
  gap,
  isNote,
  naturalWidths,
  only,
  withHeader,
  type Cell,
  type Layout,
  type Table,
  type Tone,
} from "./table-grid.ts";
import { oneLine } from "./text.ts";

/** Where a table is shown. */
export interface Terminal {
  /** The width; null: a file or another program, to which everything is written whole. */
  readonly columns: number | null;
  readonly color: boolean;
}

/** Texts for a reader who is at no command line, such as an agent. */
const charsMax = 60;

/**
 * The lines of a table. At a terminal it has a header, short ids, and the terminal's width; elsewhere ids and columns are
 * whole. A column without any value is left out.
 */
export function tableLines(table: Table, terminal?: Terminal): string[] {
  const width = terminal?.columns ?? null;
  const paint = painter(terminal?.color ?? false);
  const rows = cleaned(table, terminal);
  const full = only({ columns: table.columns, rows }, (_, at) =>
    rows.some((row) => row[at]?.text !== ""),
  );
  const others = only(full, (column) => !isNote(column));
  const notes = only(full, isNote);
  if (width === null) {
    // Each note follows its row, because a long text would move the notes of all rows away.
    return drawn(others, naturalWidths(others), paint).map((line, at) =>
      textOf([{ text: line }, ...(notes.rows[at] ?? [])]),
    );
  }
  for (const withoutExtras of [false, true]) {
    for (const notesBelow of [false, true]) {
      const grid = withHeader(
        only(notesBelow ? others : full, ({ isExtra = false }) => !(withoutExtras && isExtra)),
      );
      const widths = fitted(grid, width);
      if (widths === undefined) continue;
      const lines = drawn(grid, widths, paint);
      return notesBelow ? withNotes(lines, notes, { width, paint }) : lines;
    }
  }
  return stacked(others, notes, { width, paint });
}

type Paint = (cell: Cell, text: string) => string;

/** Each text on one line, and each id as short as it may be. */
function cleaned({ columns, rows }: Table, terminal: Terminal | undefined): Cell[][] {
  const short = columns.map(({ isId }, at) =>
    isId === true && terminal !== undefined && terminal.columns !== null
      ? shortIds(rows.map((row) => row[at]?.text ?? ""))
      : undefined,
  );
  return rows.map((row) =>
    columns.map(({ widthMin }, at) => {
      const { text = "", tone } = row[at] ?? {};
      const isCut = terminal === undefined && widthMin !== undefined;
      const line = oneLine(short[at]?.get(text) ?? text, isCut ? charsMax : Infinity);
      return { text: line, tone };
    }),
  );
}

function drawn({ columns, rows }: Table, widths: readonly number[], paint: Paint): string[] {
  return rows.map((row) =>
    row
      .map((cell, at) => {
        const width = widths[at] ?? 0;
        const text = cutToWidth(cell.text, width);
        const space = " ".repeat(width - widthOf(text));
        const painted = paint(cell, text);
        if (columns[at]?.isNumber === true) return `${space}${painted}`;
        return at === row.length - 1 ? painted : `${painted}${space}`;
      })
      .join(gap)
      .trimEnd(),
  );
}

interface Screen {
  readonly width: number;
  readonly paint: Paint;
}

/** The notes of each row on the line below it; the first line is the header. */
function withNotes([header = "", ...lines]: string[], notes: Table, screen: Screen): string[] {
  return [header, ...lines.flatMap((line, at) => [line, ...below(notes.rows[at] ?? [], screen)])];
}

function below(cells: readonly Cell[], { width, paint }: Screen): string[] {
  const text = textOf(cells);
  if (text === "") return [];
  return [`${gap}${paint(cells[0] ?? { text }, cutToWidth(text, width - gap.length))}`];
}

/** Several lines for each record: what is never cut, then its texts, then its notes. */
function stacked(others: Table, notes: Table, screen: Screen): string[] {
  const { width, paint } = screen;
  const isText = ({ widthMin }: Layout): boolean => widthMin !== undefined;
  const texts = only(others, isText);
  const head = only(
    others,
    (column) => !isText(column) && column.isExtra !== true && column.isNumber !== true,
  );
  return head.rows.flatMap((row, at) => {
    const isCut = widthOf(textOf(row)) > width;
    const cells = row.map((cell) => ({ text: paint(cell, cell.text) }));
    return [
      isCut ? cutToWidth(textOf(row), width) : textOf(cells),
      ...below(
        (texts.rows[at] ?? []).map(({ text }) => ({ text })),
        screen,
      ),
      ...below(notes.rows[at] ?? [], screen),
    ];
  });
}

function textOf(cells: readonly Cell[]): string {
  return cells.flatMap(({ text }) => (text === "" ? [] : [text])).join(gap);
}

const codes: Readonly<Record<Tone, number>> = { good: 32, bad: 31, attention: 33, dim: 2 };

function painter(color: boolean): Paint {
  return ({ tone }, text) =>
    color && tone !== undefined && text !== "" ? `\u001B[${codes[tone]}m${text}\u001B[0m` : text;
}
