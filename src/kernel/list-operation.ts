import * as z from "zod";
import { bookOf } from "./book.ts";
import type { Kind } from "./kind.ts";
import type { Book } from "./ledger.ts";
import { matchingPage } from "./list-all.ts";
import { operation, type Context, type Operation, type Reader } from "./operation.ts";
import type { ListQuery } from "./query.ts";
import type { LedgerRecord } from "./record.ts";
import { fields } from "./schemas.ts";
import type { Shape } from "./shape.ts";

interface ListOptions<
  S extends Shape,
  View,
  Plural extends string,
  Filters extends z.ZodRawShape,
  Shared,
>
  extends Pick<Operation, "summary">, Partial<Pick<Operation, "aliases" | "scope" | "tool">> {
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
  matches?(record: LedgerRecord<S>, input: z.output<z.ZodObject<Filters>>): boolean;
  show(record: LedgerRecord<S>, context: Context, shared: Shared): View | Promise<View>;
  /** Reads once what all views of a page share. */
  share?(context: Context): Promise<Shared>;
  /** One record as a line for people. */
  line(view: View, reader: Reader): string;
  /** The line for an empty list. */
  empty(reader: Reader): string;
  /** The line with the cursor of the next page. */
  more(next: string, reader: Reader): string;
}

const paging = { limit: fields.limit, after: fields.after };

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
  const { plural, summary, command, filters, example, aliases, scope, tool } = options;
  const { view, next: nextSchema = nextPage, book: listedBook = bookOf } = options;
  const { query = selectionOf } = options;
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
    async run(given, context) {
      const typed = given as z.output<z.ZodObject<Filters>>;
      const book = listedBook(context);
      const input = (await options.withWholeIds?.(typed, book)) ?? typed;
      const { limit, after } = given as z.output<z.ZodObject<typeof paging>>;
      const { records, next } = await matchingPage(
        book,
        { kind, order: "newest", ...query(input), limit, after },
        (record) => options.matches?.(record, input) ?? true,
      );
      const shared = (await options.share?.(context)) as Shared; // undefined without a `share`, which nothing reads then
      const views = await Promise.all(
        records.map((record) => options.show(record, context, shared)),
      );
      return { [plural]: views, next } as Listed<View, Plural>;
    },
    render(listed, reader) {
      const { next } = listed;
      const views: readonly View[] = listed[plural];
      if (views.length === 0 && next === null) return options.empty(reader);
      const lines = views.map((each) => options.line(each, reader));
      return [...lines, ...(next === null ? [] : [options.more(next, reader)])].join("\n");
    },
  });
}

/** The records in the requested state; without one those that have not ended, or all. */
function selectionOf({
  state,
  all,
}: Readonly<Record<string, unknown>>): Pick<ListQuery, "live" | "state"> {
  if (typeof state === "string") return { state };
  return all === true ? {} : { live: true };
}
