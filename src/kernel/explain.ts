import * as z from "zod";
import type { Kind } from "./kind.ts";
import type { Book } from "./ledger.ts";
import type { Context, Reader } from "./operation.ts";
import type { Change } from "./query.ts";
import type { AnyRecord, LedgerRecord } from "./record.ts";
import type { Shape } from "./shape.ts";

/** The fields that `explain` shows of a record of any kind. */
export const recordFields = {
  id: z.string(),
  kind: z.string(),
  state: z.string(),
  created_at: z.string(),
  created_by: z.string(),
  ended_at: z.string().nullable(),
};

/** One change in a record's history. */
export const changeView = z.object({
  what: z.enum(["appended", "edited", "kept", "lapsed", "settled", "cancelling", "cancelled"]),
  at: z.string(),
  by: z.string(),
  state: z.string(),
  attempt: z.number(),
  claimed_at: z.string().nullable(),
  note: z.string().nullable(),
  by_run: z.boolean().describe("true: the system counted a run of the schedule"),
});
export type ChangeView = z.infer<typeof changeView>;

/** What a record that has not ended waits for. */
export const waitView = z.object({
  at: z.string().nullable().describe("when it is claimed next"),
  holder: z.string().nullable().describe("the node that holds its lease, or held the last one"),
  parked: z.boolean().describe("true: other records for the same destination go first"),
  listener: z.boolean().describe("true: it is sent when a listener connects"),
  cancelling: z.boolean(),
});
export type WaitView = z.infer<typeof waitView>;

/** The record that caused another. The part of its kind adds its own fields, under its own key. */
export const causeFields = { id: z.string(), kind: z.string(), state: z.string() };
export type CauseView = z.infer<z.ZodObject<typeof causeFields>>;

/** The answer of `explain`, without the parts of the features. */
export type Explanation = z.infer<z.ZodObject<typeof recordFields>> & {
  readonly because: readonly CauseView[];
  readonly history: readonly ChangeView[];
  readonly waits: WaitView | null;
};

/** What `explain` shows of records of one kind, under one key of its answer, and as the cause of others. */
export interface ExplainPart<
  Key extends string = string,
  S extends Shape = Shape,
  View extends z.ZodObject = z.ZodObject,
  Cause extends z.ZodType = z.ZodType,
  Fields extends z.ZodRawShape = z.ZodRawShape,
  Links extends RecordLinks = RecordLinks,
> {
  readonly key: Key;
  readonly kind: Kind<S>;
  readonly view: View;
  /** What null means in its field. */
  readonly nullMeaning?: string;
  /** Fields of its view that contain other records, each shown like a cause. */
  readonly links?: Links;
  build(
    record: LedgerRecord<S>,
    subject: Subject,
  ): Promise<z.output<View> & Linked<NoInfer<Links>, CauseView>>;
  readonly cause?: CausePart<S, Cause>;
  readonly fields?: FieldsPart<Fields>;
  /** The requested window of its long texts. */
  page?(view: z.output<View>, window: TextWindow): { view: z.output<View>; part: TextPosition };
  /** The range of changes to read. */
  history?(record: LedgerRecord<S>, book: Book): Promise<HistoryRange>;
  /** True: it is sent only while a listener is connected. */
  waitsForListener?(record: LedgerRecord<S>): boolean;
  readonly lines: ExplainLines<
    z.output<View> & Linked<NoInfer<Links>, CauseView>,
    Explanation & z.output<z.ZodObject<Fields>>
  >;
}

/** Fields that hold one other record or null, or several. */
export type RecordLinks = Readonly<
  Record<string, { readonly holds: "one" | "many"; readonly description: string }>
>;

/** The content of these fields; unknown when the fields are unknown. */
type Linked<Links extends RecordLinks, Cause> = string extends keyof Links
  ? unknown
  : { [Name in keyof Links]: Links[Name]["holds"] extends "one" ? Cause | null : Cause[] };

/** The records around the one that is explained. */
export interface Subject {
  readonly context: Context;
  /** Its causes, the nearest first. */
  readonly causes: readonly AnyRecord[];
  /** The changes that were read. */
  readonly changes: readonly Change[];
}

/** How records of one kind are shown as the cause of others. */
interface CausePart<S extends Shape, Cause extends z.ZodType> {
  readonly schema: Cause;
  build(record: LedgerRecord<S>, context: Context): Promise<z.output<Cause>>;
  /** The state for people, when it differs from the record's. */
  state?(record: LedgerRecord<S>): string;
  lines(cause: z.output<Cause>, standing: CauseView, reader: Reader): readonly string[];
  /** The rules by which its consequence was sent. */
  rules?(cause: z.output<Cause>, reader: Reader): readonly string[];
}

/** Fields of the answer beside the view, of records of any kind. */
interface FieldsPart<Fields extends z.ZodRawShape> {
  readonly schemas: Fields;
  /** Placed after the view; otherwise after the causes. */
  readonly isBeside?: true;
  build(record: AnyRecord, subject: Subject): Promise<z.output<z.ZodObject<Fields>>>;
  /** Lines after the rules of the record itself. */
  rules?(
    explanation: Explanation & z.output<z.ZodObject<Fields>>,
    reader: Reader,
  ): readonly string[];
}

export interface TextWindow {
  readonly offset?: number | undefined;
  readonly chars?: number | undefined;
}

export interface TextPosition {
  readonly next_offset: number | null;
  readonly remaining: number;
}

export interface HistoryRange {
  /** Earlier changes are left out. */
  readonly from?: string | undefined;
  /** Times at which its runs were counted: the system made an edit at such a time. */
  readonly countedAt: ReadonlySet<number | null>;
}

/** The rendered lines for records of this kind, section by section; an absent one adds nothing. */
interface ExplainLines<View, S extends Explanation = Explanation> {
  headline?(view: View, head: Headline, reader: Reader): string;
  message?(view: View): string | null;
  /** The line about the first cause. */
  firstCause?(view: View, cause: CauseView, reader: Reader): string | undefined;
  /** The person's request; null: no person requested it. */
  request?(view: View): RequestView | null;
  time?(view: View, reader: Reader): readonly string[];
  rules?(view: View, explanation: S, rendering: RuleContext): readonly string[];
  runs?(view: View, reader: Reader): readonly string[];
  sent?(view: View, reader: Reader): readonly string[];
  /** False: its attempts are shown in another section. */
  readonly hasAttempts?: false;
  changes?(history: readonly ChangeView[], reader: Reader): readonly string[];
  /** What it waits for; undefined: only its wake time. */
  next?(view: View, waits: WaitView, reader: Reader): string | undefined;
}

interface Headline {
  readonly kind: string;
  readonly id: string;
  readonly state: string;
  readonly when: string | null;
  readonly target: string | null;
}

interface RequestView {
  readonly origin: string | null;
  readonly target_because: "asked" | "origin" | "home" | "inbox" | "import" | null;
}

export interface RuleContext {
  readonly reader: Reader;
  /** The rules of its causes. */
  readonly causeRules: readonly string[];
}

/** Infers the types of one part. */
export function explainPart<
  const Key extends string,
  S extends Shape,
  View extends z.ZodObject,
  Cause extends z.ZodType = z.ZodNever,
  Fields extends z.ZodRawShape = {},
  const Links extends RecordLinks = {},
>(
  part: ExplainPart<Key, S, View, Cause, Fields, Links>,
): ExplainPart<Key, S, View, Cause, Fields, Links> {
  return part;
}
