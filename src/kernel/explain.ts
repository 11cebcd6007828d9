import type * as z from "zod";
import type { Kind } from "./kind.ts";
import type { Book } from "./ledger.ts";
import type { Context, Reader } from "./operation.ts";
import type { Change } from "./reading.ts";
import type { AnyRecord, LedgerRecord } from "./record.ts";
import type { Shape } from "./shape.ts";
import type { CauseStanding, ChangeView, Story, Waits } from "./story.ts";

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
  /** What null means under its key. */
  readonly otherwise?: string;
  /** Fields of its view that hold other records, each shown as a cause is. */
  readonly links?: Links;
  build(
    record: LedgerRecord<S>,
    subject: Subject,
  ): Promise<z.output<View> & Linked<NoInfer<Links>, CauseStanding>>;
  readonly cause?: CausePart<S, Cause>;
  readonly fields?: FieldsPart<Fields>;
  /** The requested part of its long texts. */
  page?(view: z.output<View>, window: TextWindow): { view: z.output<View>; part: TextPosition };
  /** Which of its changes are read. */
  history?(record: LedgerRecord<S>, book: Book): Promise<HistoryRange>;
  /** Whether it is sent only when a listener is connected. */
  waitsForListener?(record: LedgerRecord<S>): boolean;
  readonly lines: ExplainLines<
    z.output<View> & Linked<NoInfer<Links>, CauseStanding>,
    Story & z.output<z.ZodObject<Fields>>
  >;
}

/** Fields that hold one other record or null, or several. */
export type RecordLinks = Readonly<
  Record<string, { readonly holds: "one" | "many"; readonly description: string }>
>;

/** What these fields hold; not known where the fields are not. */
type Linked<Links extends RecordLinks, Cause> = string extends keyof Links
  ? unknown
  : { [Name in keyof Links]: Links[Name]["holds"] extends "one" ? Cause | null : Cause[] };

/** A record that is explained, and what is known around it. */
export interface Subject {
  readonly context: Context;
  /** What caused it, nearest first. */
  readonly causes: readonly AnyRecord[];
  /** Its changes, as far as they were read. */
  readonly changes: readonly Change[];
}

/** What is shown of records of one kind as the cause of others. */
interface CausePart<S extends Shape, Cause extends z.ZodType> {
  readonly schema: Cause;
  build(record: LedgerRecord<S>, context: Context): Promise<z.output<Cause>>;
  /** Its state, where people know another than the record's. */
  state?(record: LedgerRecord<S>): string;
  lines(cause: z.output<Cause>, standing: CauseStanding, reader: Reader): readonly string[];
  /** By which of its rules its consequence was sent. */
  rules?(cause: z.output<Cause>, reader: Reader): readonly string[];
}

/** Fields of the answer beside the view, of records of any kind. */
interface FieldsPart<Fields extends z.ZodRawShape> {
  readonly schemas: Fields;
  /** Right after the view, and not after the causes. */
  readonly isBeside?: true;
  build(record: AnyRecord, subject: Subject): Promise<z.output<z.ZodObject<Fields>>>;
  /** Lines after the rules of the record itself. */
  rules?(story: Story & z.output<z.ZodObject<Fields>>, reader: Reader): readonly string[];
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
  /** Changes before this cursor are left out. */
  readonly from?: string | undefined;
  /** When its runs were counted: an edit at such a time was made by the system. */
  readonly countedAt: ReadonlySet<number | null>;
}

/** The rendered lines for records of this kind, section by section; an absent one adds nothing. */
interface ExplainLines<View, S extends Story = Story> {
  headline?(view: View, head: Headline, reader: Reader): string;
  message?(view: View): string | null;
  /** The first cause, where that is more than a cause. */
  firstCause?(view: View, cause: CauseStanding, reader: Reader): string | undefined;
  /** Who requested it; null: no person did. */
  request?(view: View): RequestView | null;
  time?(view: View, reader: Reader): readonly string[];
  rules?(view: View, story: S, rendering: Rendering): readonly string[];
  runs?(view: View, reader: Reader): readonly string[];
  sent?(view: View, reader: Reader): readonly string[];
  /** False: what it attempts is shown in another section. */
  readonly hasAttempts?: false;
  changes?(history: readonly ChangeView[], reader: Reader): readonly string[];
  /** What it waits for; undefined when its wake time is enough. */
  next?(view: View, waits: Waits, reader: Reader): string | undefined;
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

export interface Rendering {
  readonly reader: Reader;
  /** The rules of what caused it. */
  readonly causeRules: readonly string[];
}

/** Keeps the types of one part. */
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
