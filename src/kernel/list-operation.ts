import * as z from "zod";
import { bookOf } from "./book.ts";
import { isLive, type Kind } from "./kind.ts";
import type { Book } from "./ledger.ts";
import { matchingPage } from "./list-all.ts";
import { renderList, type Column } from "./list-table.ts";
import { operation, type Context, type Operation, type Reader } from "./operation.ts";
import type { ListQuery, Page } from "./query.ts";
import type { LedgerRecord } from "./record.ts";
import { fields } from "./schemas.ts";
import type { Shape } from "./shape.ts";
import { soonestPage } from "./soonest-page.ts";

interface ListOptions<
  S extends Shape,
  View,
  Plural extends string,
  Filters extends z.ZodRawShape,
  Shared,
>
  extends
    Pick<Operation, "summary">,
    Partial<Pick<Operation, "aliases" | "scope" | "tool" | "toolInputs">> {
  /** The plural of the kind's name, for the operation's name, its path and its answer. */
  readonly plural: Plural;
  /** The command, when it is not `KIND list`. */
  readonly command?: string;
  /** The inputs besides those of a page. `all` and `state` select records, unless `query` is given. */
  readonly filters: Filters;
  readonly example?: z.input<ListInput<Filters>> | undefined;
  readonly view: z.ZodType<View>;
  /** The schema of `next`. */
  readonly next?: z.ZodType<string | null>;
  /** The book to list. Default: the caller's own. */
  book?(context: Context): Book;
  /** The records to read. Default order: the newest first. */
  query?(input: z.output<z.ZodObject<Filters>>): Pick<ListQuery, "live" | "state" | "order">;
  /** The input with whole ids in place of their starts. */
  withWholeIds?(
    input: z.output<z.ZodObject<Filters>>,
    book: Book,
  ): Promise<z.output<z.ZodObject<Filters>>>;
  /** The records to show of those that were read. Default: all. */
  matching?(
    input: z.output<z.ZodObject<Filters>>,
    context: Context,
  ): (record: LedgerRecord<S>) => boolean;
  /**
   * When a record that waits is next; null: no time is known. Records that wait are then listed the next first, and those
   * that have ended the newest first; `filters` has `fields.sort`.
   */
  dueAt?(record: LedgerRecord<S>): number | null;
  show(record: LedgerRecord<S>, context: Context, shared: Shared): View | Promise<View>;
  /** Reads once what all views of a page share. */
  share?(context: Context): Promise<Shared>;
  readonly columns: readonly Column<View>[];
  /** What an empty list means; the lines after the first are for the command line: what to type next. */
  empty(reader: Reader): string;
  /** The line with the cursor of the next page. */
  more(next: string, reader: Reader): string;
}

const paging = { limit: fields.limit, after: fields.after };
/** `sort` is an input of lists whose filters have it. */
interface Paging extends z.output<z.ZodObject<typeof paging>> {
  readonly sort?: z.output<typeof fields.sort>;
}

type ListInput<Filters extends z.ZodRawShape> = z.ZodObject<
  Filters & typeof paging,
  z.core.$strict
>;
type Listed<View, Plural extends string> = { [P in Plural]: View[] } & { next: string | null };

const nextPage = z
  .string()
  .nullable()
  .describe("the cursor of the next page, for `after`. Null on the last page");

/** Makes the operation that lists records of a kind, a page at a time. */
export function listOperation<
  S extends Shape,
  View,
  const Plural extends string,
  Filters extends z.ZodRawShape,
  Shared = undefined,
>(
  kind: Kind<S>,
  options: ListOptions<S, View, Plural, Filters, Shared>,
): Operation<ListInput<Filters>, Listed<View, Plural>> {
  const { plural, summary, command, filters, example, aliases, scope, tool, toolInputs } = options;
  const { view, next: nextSchema = nextPage, book: listedBook = bookOf } = options;
  const { query = selectionOf, dueAt } = options;
  const output = z.object({ [plural]: z.array(view), next: nextSchema });
  return operation({
    name: `list_${plural}`,
    summary,
    input: z.strictObject({ ...filters, ...paging }),
    output: output as unknown as z.ZodType<Listed<View, Plural>>, // its two keys, one of them computed
    aliases,
    scope,
    example,
    route: { method: "GET", path: `/v1/${plural}` },
    command: {
      ...(command === undefined
        ? { name: `${kind.name} list`, aliases: [plural] }
        : { name: command }),
      positionals: [],
    },
    tool,
    toolInputs,
    async run(given, context) {
      const typed = given as z.output<z.ZodObject<Filters>>;
      const book = listedBook(context);
      const input = (await options.withWholeIds?.(typed, book)) ?? typed;
      const { records, next } = await pageOf(book, given as Paging, {
        query: { kind, order: "newest", ...query(input) },
        matches: options.matching?.(input, context) ?? (() => true),
        dueAt,
      });
      const shared = (await options.share?.(context)) as Shared; // undefined without a `share`, which nothing reads then
      const views = await Promise.all(
        records.map((record) => options.show(record, context, shared)),
      );
      return { [plural]: views, next } as Listed<View, Plural>;
    },
    render: (listed, reader) =>
      renderList(options.columns, listed[plural], reader, { ...options, next: listed.next }),
  });
}

interface Selected<S extends Shape> {
  readonly query: ListQuery<S>;
  matches(record: LedgerRecord<S>): boolean;
  readonly dueAt: ((record: LedgerRecord<S>) => number | null) | undefined;
}

function pageOf<S extends Shape>(
  book: Book,
  { sort, limit, after }: Paging,
  { query, matches, dueAt }: Selected<S>,
): Promise<Page<S>> {
  const { kind, state, live } = query;
  const isWaiting =
    live === true || (state !== undefined && kind !== undefined && isLive(kind, state));
  if (dueAt !== undefined && (sort === "next" || (sort === undefined && isWaiting))) {
    return soonestPage(book, { ...query, live: true, limit, after }, { matches, dueAt });
  }
  const order = sort === "oldest" || sort === "newest" ? sort : query.order;
  return matchingPage(book, { ...query, order, limit, after }, matches);
}

/** The records in the requested state; without one those that have not ended, or all. */
function selectionOf({
  state,
  all,
}: Readonly<Record<string, unknown>>): Pick<ListQuery, "live" | "state"> {
  if (typeof state === "string") return { state };
  return all === true ? {} : { live: true };
}
