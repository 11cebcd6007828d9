import * as z from "zod";
import { feedEnd } from "../../../kernel/feed-end.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import type { Page } from "../../../kernel/query.ts";
import { count } from "../../../kernel/schemas.ts";
import { allows } from "../../../kernel/scope.ts";
import type { TransferPart } from "../../../kernel/transfer.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { ownerInput } from "../../accounts/index.ts";
import { endOf, headOf, lineOf } from "./file.ts";

const output = z.object({
  lines: z.array(z.string()).describe("the next lines of the file, in order"),
  next: z
    .string()
    .nullable()
    .describe("where the next lines start, for `after`. Null: these are the last"),
});
export type ExportPage = z.output<typeof output>;

const recordsMax = 250;
/** A page stays below what clients read at once. One record alone may have more. */
const charsMax = 2 * 2 ** 20;

/** The book as lines of JSON, a page at a time: the same lines as the stream has. */
export function exportOver(parts: readonly TransferPart[]) {
  const names = parts.map(({ kind }) => kind.name);
  return operation({
    name: "export_book",
    summary: "Export the records of a book as JSON Lines.",
    input: z.strictObject({
      kind: z
        .array(z.enum(names))
        .optional()
        .describe(`only these kinds: ${names.join(", ")}. Default: all of them`),
      owner: ownerInput,
      after: z.string().optional().describe("`next` of the page before"),
    }),
    output,
    example: {},
    route: { method: "GET", path: "/v1/book/export" },
    command: { name: "export", positionals: [] },
    tool: "never",
    async run({ kind = [], owner = "", after }, context) {
      const chosen = parts.filter(({ kind: { name } }) => kind.length === 0 || kind.includes(name));
      const book = bookOf(owner || context.owner, context);
      const start = after === undefined ? await startOf(book) : readCursor(after);
      const kinds = chosen.map((part) => part.kind.name);
      const { position } = start;
      const head = { owner: owner || context.owner, kinds, position, now: context.now() };
      const page = await pageOf(book, chosen, start);
      return {
        lines: [...(after === undefined ? [headOf(head)] : []), ...page.lines],
        next: page.next,
      };
    },
    render: ({ lines }) => lines.join("\n"),
  });
}

/** Another owner's book is for administrators. */
function bookOf(owner: string, { ledger, owner: own, by, scopes }: Context): Book {
  if (owner === own || allows(scopes, "admin")) return ledger.of(owner, by);
  const sentence =
    'This token may export only its own book: leave out owner, or use a token with the scope "admin".';
  throw new DaybookError("refused", sentence, { details: { scope: "admin" } });
}

/** How far an export has come: a page needs nothing else. */
const cursor = z.strictObject({
  /** The position of the feed before the first record was read. */
  position: z.string().nullable(),
  /** Records that were exported. */
  records: count,
  /** Of the list. */
  after: z.string().optional(),
});
type Cursor = z.output<typeof cursor>;

async function startOf(book: Book): Promise<Cursor> {
  return { position: (await feedEnd(book)) ?? null, records: 0 };
}

function cursorText(next: Cursor): string {
  return Buffer.from(JSON.stringify(next)).toString("base64url");
}

function readCursor(text: string): Cursor {
  try {
    return cursor.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
  } catch (cause) {
    const sentence = '"after" is not the end of an earlier page: leave it out to start again.';
    throw new DaybookError("invalid", sentence, { cause });
  }
}

/** The records of the next page of the list, and the end of the file after the last one. */
async function pageOf(
  book: Book,
  parts: readonly TransferPart[],
  { position, records, after }: Cursor,
): Promise<ExportPage> {
  const byKind = new Map(parts.map((part) => [part.kind.name, part]));
  const [only] = parts.length === 1 ? parts : [];
  const list = (limit: number): Promise<Page> => book.list({ kind: only?.kind, after, limit });
  const page = await list(recordsMax);
  const lines: string[] = [];
  let { next } = page;
  let chars = 0;
  for (const [at, record] of page.records.entries()) {
    const part = byKind.get(record.kind);
    const line = part && lineOf(record, part);
    chars += line?.length ?? 0;
    if (chars > charsMax && at > 0) {
      ({ next } = await list(at)); // the cursor before this record is only known from a page that ends there
      break;
    }
    if (line !== undefined) lines.push(line);
  }
  const exported = records + lines.length;
  if (next !== null) {
    return { lines, next: cursorText({ position, records: exported, after: next }) };
  }
  const end = { records: exported, position: (await feedEnd(book, position ?? undefined)) ?? null };
  return { lines: [...lines, endOf(end)], next: null };
}
