import * as z from "zod";
import type { ExplainPart, Subject, TextPosition, TextWindow } from "../../../kernel/explain.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import type { AnyRecord } from "../../../kernel/record.ts";
import { isoOf, isoOr } from "../../../platform/iso-time.ts";
import { partInputs } from "../../notifications/operations/long-texts.ts";
import { findAny } from "./find.ts";
import { heldBackBy } from "./held-back.ts";
import { historyOf } from "./history.ts";
import { parts } from "./parts.ts";
import { render } from "./render.ts";
import { explainedView, type Cause, type Explained } from "./view.ts";

const depthMax = 16;

export const explain = operation({
  name: "explain",
  summary: "Say why something did, did not, or will happen.",
  input: z.strictObject({
    id: z.string().describe("which one, by its id; a schedule also by its name"),
    ...partInputs,
  }),
  output: explainedView,
  scope: "read",
  effect: "none",
  route: { method: "GET", path: "/v1/explain/{id}" },
  command: { name: "explain", positionals: ["id"] },
  tool: "always",
  async run({ id: which, ...window }, context): Promise<Explained> {
    const book = bookOf(context);
    const record = await findAny(book, which);
    const causes = await causesOf(book, record);
    const { changes, ...past } = await historyOf(book, record, partOf(record));
    const subject = { context, causes, changes };
    const answer = {
      ...standingOf(record),
      ...(await viewsOf(record, subject, window)),
      because: await shownCauses(causes, context),
      ...(await fieldsOf(record, subject)),
      held_back: await heldBackBy(context, record),
      ...past,
    };
    return answer as Explained; // its views and fields are built by the parts whose schemas it has
  },
  render: render,
});

function partOf({ kind }: Pick<AnyRecord, "kind">): ExplainPart | undefined {
  return parts.find((part) => part.kind.name === kind);
}

type Standing = Pick<
  Explained,
  "id" | "kind" | "state" | "created_at" | "created_by" | "ended_at" | "waits"
>;

/** What is true of a record of any kind. Its body is not: it may hold a secret. */
function standingOf(record: AnyRecord): Standing {
  const { id, kind, state, by, wakeAt, readyAt, lease, cancelling, endedAt } = record;
  const parked = lease === null && wakeAt !== null && readyAt !== null && readyAt < wakeAt;
  const holder = lease?.holder ?? null;
  const listener = partOf(record)?.waitsForListener?.(record) ?? false;
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
  record: AnyRecord,
  subject: Subject,
  window: TextWindow,
): Promise<Record<string, unknown>> {
  const answer: Record<string, unknown> = {};
  const own = partOf(record);
  for (const part of parts as readonly ExplainPart[]) {
    const view = part === own ? await part.build(record, subject) : null;
    const paged = view === null ? undefined : part.page?.(view, window);
    Object.assign(answer, { [part.key]: paged?.view ?? view });
    if (part.fields?.isBeside) Object.assign(answer, await part.fields.build(record, subject));
    if (part.page !== undefined) Object.assign(answer, paged?.part ?? wholeText);
  }
  return answer;
}

const wholeText: TextPosition = { next_offset: null, remaining: 0 };

async function fieldsOf(record: AnyRecord, subject: Subject): Promise<Record<string, unknown>> {
  const answer: Record<string, unknown> = {};
  for (const { fields } of parts as readonly ExplainPart[]) {
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

async function shownCauses(causes: readonly AnyRecord[], context: Context): Promise<Cause[]> {
  const found: Cause[] = [];
  for (const record of causes) {
    const part = partOf(record);
    const { id, kind } = record;
    const state = part?.cause?.state?.(record) ?? record.state;
    const own = part?.cause && { [part.key]: await part.cause.build(record, context) };
    found.push({ id, kind, state, ...own });
  }
  return found;
}
