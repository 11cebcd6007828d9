import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { operation, type Reader } from "../../../kernel/operation.ts";
import { count } from "../../../kernel/schemas.ts";
import type { TransferPart } from "../../../kernel/transfer.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import { textsOf } from "../texts.ts";
import { draftsOf, type ReadDraft } from "./drafts.ts";
import { exampleLines } from "./example.ts";
import { type LineProblem, readFile, type ReadRecord } from "./read.ts";
import { sift } from "./sift.ts";
import { findHere, startParked, writeUnit } from "./write.ts";

/** Records of one request: they are one unit. */
const recordsMax = 1_000;

const part = z.strictObject({
  line: z.int().min(2).describe("the number of the first of these lines in the file"),
  parked: z
    .boolean()
    .describe(
      "true: live records get no time yet. Send all parts so, then all of them again with false",
    ),
});

const output = z.object({
  dry_run: z.boolean(),
  created: count.describe("records that were written; with `dry_run`, that would be"),
  existing: count.describe("records that are here already: nothing of them was changed"),
  parked: count.describe("of the created ones, live records that have no time yet"),
  started: count.describe(
    "parked records, of this import or an interrupted one, that now have their time",
  ),
  refused: count.describe(
    "records that cannot be imported. Without `dry_run` nothing is written then",
  ),
  kinds: z
    .record(z.string(), z.object({ created: count, existing: count }))
    .describe("the same numbers for each kind"),
  known: z
    .array(z.object({ line: count, id: z.string(), as: z.string() }))
    .describe(
      "of the existing ones, those that are here under another id, for which their key stands",
    ),
  new_secrets: z
    .array(z.object({ id: z.string(), secret: z.string() }))
    .describe(
      "of created schedules and runs that call a URL: the new secret, shown only in this answer",
    ),
  problems: z.array(z.object({ line: count, id: z.string().nullable(), problem: z.string() })),
});
export type ImportResult = z.output<typeof output>;

const shownMax = 20;

export function importOver(parts: readonly TransferPart[]) {
  return operation({
    name: "import_book",
    summary: "Import an exported book, or the notifications of another ledger.",
    input: z.strictObject({
      lines: z
        .array(z.string())
        .min(1)
        .max(recordsMax + 2)
        .describe(
          `the lines of the file, from the first to the last. At most ${recordsMax} records`,
        ),
      dry_run: z
        .boolean()
        .default(false)
        .describe("show what would be imported, without importing it"),
      part: part
        .optional()
        .describe("of a longer file: its first line comes first, and then the lines of a part"),
    }),
    output,
    scope: "admin", // records are written as they are, which goes around the checks of requests
    effect: "adds",
    example: { lines: exampleLines },
    route: { method: "POST", path: "/v1/book/import", bodyBytesMax: 8 * 2 ** 20 },
    command: { name: "import", positionals: ["lines"], file: "lines" },
    tool: "never",
    async run({ lines, dry_run: isDry, part: given }, context): Promise<ImportResult> {
      const { line: from, parked: isParked } = given ?? { line: 2, parked: false };
      const read = readFile({ lines, from, isPart: given !== undefined }, parts, context);
      const book = bookOf(context);
      const here = await findHere(read.records, book);
      const made = await draftsOf(here.absent, isParked, context);
      const { fresh, known, ...sifted } = await sift(made.drafts, book, context);
      const problems = [read, here, made, sifted]
        .flatMap((each) => each.problems)
        .toSorted((a, b) => a.line - b.line);
      if (problems.length > 0 && !isDry) throw importRefusal(problems, lines.length);
      if (!isDry) await writeUnit(fresh, book);
      const started = isDry || isParked ? 0 : await startParked(here.present, book);
      return {
        dry_run: isDry,
        created: fresh.length,
        existing: here.present.length + known.length,
        parked: isParked ? fresh.filter(hasTime).length : 0,
        started,
        refused: problems.length,
        kinds: countsOf(fresh, [
          ...here.present,
          ...made.drafts.filter(({ line }) => known.some((each) => each.line === line)),
        ]),
        known: [...known],
        new_secrets: isDry ? [] : fresh.flatMap(secretOf),
        problems,
      };
    },
    render: renderImport,
  });
}

export function renderImport(result: ImportResult, { language }: Pick<Reader, "language">): string {
  const texts = textsOf(language);
  return [
    texts.imported(result),
    ...Object.entries(result.kinds).map(([kind, each]) => texts.importedKind({ kind, ...each })),
    ...result.known.slice(0, shownMax).map((each) => texts.knownAs(each)),
    ...result.new_secrets.map((each) => texts.newSecret(each)),
    ...result.problems.map(problemLine),
  ].join("\n");
}

function secretOf({ record, secret }: ReadDraft): ImportResult["new_secrets"] {
  return secret === undefined ? [] : [{ id: record.id, secret }];
}

/** A live record that will be due. */
function hasTime({ draft, record }: ReadDraft): boolean {
  return !("ends" in draft) && record.readyAt !== null;
}

function countsOf(
  created: readonly ReadRecord[],
  existing: readonly ReadRecord[],
): ImportResult["kinds"] {
  const names = [...new Set([...created, ...existing].map(({ record }) => record.kind))];
  const of = (all: readonly ReadRecord[], kind: string): number =>
    all.filter(({ record }) => record.kind === kind).length;
  return Object.fromEntries(
    names.map((kind) => [kind, { created: of(created, kind), existing: of(existing, kind) }]),
  );
}

/** `line 17 ("01a3…"): The body is wrong …` */
function problemLine({ line, id, problem }: LineProblem): string {
  return `line ${line}${id === null ? "" : ` (${quote(id)})`}: ${problem}`;
}

export function importRefusal(problems: readonly LineProblem[], lines: number): DaybookError {
  const list = problems.map((each) => `\n${problemLine(each)}`).join("");
  const sentence = `${problems.length} of ${lines} lines are wrong, so nothing was imported: correct them.${list}`;
  return new DaybookError("invalid", sentence, { details: { problems } });
}
