import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import type {
  ExplainPart,
  Subject,
  TextPosition,
  TextWindow,
  CauseView,
} from "../../../kernel/explain.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { exampleId, operation, type Context } from "../../../kernel/operation.ts";
import type { AnyRecord } from "../../../kernel/record.ts";
import { isoOf, isoOr } from "../../../platform/iso-time.ts";
import { type RecordActions, partInputs } from "../../notifications/index.ts";
import { findAny } from "./find.ts";
import { heldBackBy } from "./held-back.ts";
import { historyOf } from "./history.ts";
import { render } from "./render.ts";
import { explainedView, type Explained } from "./view.ts";

const depthMax = 16;

/** Explains any record, with the explain parts of all features. */
export function explainOver<const Parts extends readonly ExplainPart[]>(
  parts: Parts,
  actions: readonly RecordActions[],
) {
  const output = explainedView(parts);
  return operation({
    name: "explain",
    summary: "Explain why something did, did not, or will happen.",
    input: z.strictObject({
      id: z
        .string()
        .describe("the id of the record, or the start of it; for a schedule, its id or name"),
      ...partInputs,
    }),
    output,
    example: { id: exampleId },
    route: { method: "GET", path: "/v1/explain/{id}" },
    command: { name: "explain", positionals: ["id"] },
    tool: "always",
    async run({ id, ...window }, context): Promise<z.infer<typeof output>> {
      const record = await findAny({ parts, actions }, bookOf(context), id);
      const answer = await explained(parts, record, { context, window });
      return answer as unknown as z.infer<typeof output>; // its views and fields are built by the parts whose schemas it has
    },
    render: (answer, reader) => render(parts, answer as unknown as Explained, reader),
  });
}

async function explained(
  parts: readonly ExplainPart[],
  record: AnyRecord,
  { context, window }: { context: Context; window: TextWindow },
): Promise<object> {
  const book = bookOf(context);
  const own = partOf(parts, record);
  const causes = await causesOf(book, record);
  const { changes, ...past } = await historyOf(book, record, own);
  const subject = { context, causes, changes };
  return {
    ...standingOf(record, own),
    ...(await viewsOf(parts, record, { subject, window })),
    because: await shownCauses(parts, causes, context),
    ...(await fieldsOf(parts, record, subject)),
    held_back: await heldBackBy(context, record),
    ...past,
  };
}

function partOf(
  parts: readonly ExplainPart[],
  { kind }: Pick<AnyRecord, "kind">,
): ExplainPart | undefined {
  return parts.find((part) => part.kind.name === kind);
}

type Standing = Pick<
  Explained,
  "id" | "kind" | "state" | "created_at" | "created_by" | "ended_at" | "waits"
>;

/** The fields of a record of any kind. The body is not among them: it may contain a secret. */
function standingOf(record: AnyRecord, part: ExplainPart | undefined): Standing {
  const { id, kind, state, by, wakeAt, readyAt, lease, cancelling, endedAt } = record;
  const parked = lease === null && wakeAt !== null && readyAt !== null && readyAt < wakeAt;
  const holder = lease?.holder ?? null;
  const listener = part?.waitsForListener?.(record) ?? false;
  const waits = { at: isoOr(wakeAt), holder, parked, listener, cancelling };
  return {
    id,
    kind,
    state,
    created_at: isoOf(record.createdAt),
    created_by: by,
    ended_at: isoOr(endedAt),
    waits: endedAt === null ? waits : null,
  };
}

/** The view of its own part; null under the keys of all others. */
async function viewsOf(
  parts: readonly ExplainPart[],
  record: AnyRecord,
  { subject, window }: { subject: Subject; window: TextWindow },
): Promise<Record<string, unknown>> {
  const answer: Record<string, unknown> = {};
  const own = partOf(parts, record);
  for (const part of parts) {
    const view = part === own ? await part.build(record, subject) : null;
    const paged = view === null ? undefined : part.page?.(view, window);
    Object.assign(answer, { [part.key]: paged?.view ?? view });
    if (part.fields?.isBeside) Object.assign(answer, await part.fields.build(record, subject));
    if (part.page !== undefined) Object.assign(answer, paged?.part ?? wholeText);
  }
  return answer;
}

const wholeText: TextPosition = { next_offset: null, remaining: 0 };

async function fieldsOf(
  parts: readonly ExplainPart[],
  record: AnyRecord,
  subject: Subject,
): Promise<Record<string, unknown>> {
  const answer: Record<string, unknown> = {};
  for (const { fields } of parts) {
    if (fields === undefined || fields.isBeside) continue;
    Object.assign(answer, await fields.build(record, subject));
  }
  return answer;
}

async function causesOf(book: Book, record: AnyRecord): Promise<AnyRecord[]> {
  const found: AnyRecord[] = [];
  let { parent } = record;
  while (parent !== null && found.length < depthMax) {
    const cause = await book.get(parent);
    if (cause === undefined) break;
    found.push(cause);
    ({ parent } = cause);
  }
  return found;
}

async function shownCauses(
  parts: readonly ExplainPart[],
  causes: readonly AnyRecord[],
  context: Context,
): Promise<CauseView[]> {
  const found: CauseView[] = [];
  for (const record of causes) {
    const part = partOf(parts, record);
    const { id, kind } = record;
    const state = part?.cause?.state?.(record) ?? record.state;
    const own = part?.cause && { [part.key]: await part.cause.build(record, context) };
    found.push({ id, kind, state, ...own });
  }
  return found;
}
