import { operations } from "../src/features/index.ts";
import { callOperation } from "../src/kernel/call.ts";
import type { Context } from "../src/kernel/operation.ts";
import type { BookFixture } from "./book-fixture.ts";

export type Imported = Awaited<ReturnType<typeof operations.importBook.run>>;

/** Mina, who may do everything. */
export function adminOf({ mina }: Pick<BookFixture, "mina">): Context {
  return { ...mina, scopes: ["admin"] };
}

/** The complete file of a book, line by line. */
export async function fileOf(context: Context, input: object = {}): Promise<string[]> {
  const lines: string[] = [];
  for (let after: string | null = ""; after !== null;) {
    const asked = after === "" ? input : { ...input, after };
    const { output } = await callOperation(context, operations.exportBook, asked, context);
    const page = operations.exportBook.output.parse(output);
    lines.push(...page.lines);
    after = page.next;
  }
  return lines;
}

export async function importOf(
  context: Context,
  lines: readonly string[],
  input: object = {},
): Promise<Imported> {
  const given = { lines, ...input };
  const { output } = await callOperation(context, operations.importBook, given, context);
  return operations.importBook.output.parse(output);
}

/** What a line of a file says of its record. */
export interface Line {
  readonly kind: string;
  readonly id: string;
  readonly state: string;
  readonly wake_at: string | null;
  readonly ended_at: string | null;
  readonly in_flight?: true;
  readonly body: Readonly<Record<string, unknown>>;
  readonly outcome: Readonly<Record<string, unknown>> | null;
}

/** The records between the first line and the last. */
export function recordsOf(lines: readonly string[]): readonly Line[] {
  return lines.slice(1, -1).map((line) => JSON.parse(line) as Line);
}

/** The same file with one of its lines changed. */
export function withLine(
  lines: readonly string[],
  at: number,
  change: (line: Record<string, unknown>) => object,
): string[] {
  const changed = change(JSON.parse(lines[at] ?? "") as Record<string, unknown>);
  return lines.with(at, JSON.stringify(changed));
}
