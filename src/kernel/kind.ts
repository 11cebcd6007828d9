import type * as z from "zod";
import type { LedgerRecord } from "./record.ts";
import type { Shape, Body, Outcome, Live, State } from "./shape.ts";

/**
 * One kind of record. A feature defines it once; the kernel and the stores know none by name. Functions are written
 * as methods, so that a list may hold kinds of every shape.
 */
export interface Kind<S extends Shape = Shape> {
  readonly name: S["name"];
  /** What the body and the outcome look like, decoded. Absent in a kind that has no schemas yet. */
  readonly body?: z.ZodType<Body<S>>;
  readonly outcome?: z.ZodType<Outcome<S>>;
  /**
   * For every live state: the states a write may leave the record in. The first is the one it is written in. A
   * record may always stay as it is, and may always be cancelled.
   */
  readonly states: { readonly [L in Live<S>]: readonly State<S>[] };
  /** Its controller observes it for as long as it lives. */
  readonly levelTriggered?: boolean;
  /** A live record may have no wake time: no controller claims it. */
  readonly rests?: boolean;
  /** What people call it, if that is not its name. */
  readonly label?: string;
  /** The end of the error sentence for an unknown id: where else such an id may be found. */
  hint?(id: string): string;
}

/** The shape that a definition gives: an exit that is not a live state is an end. */
export interface ShapeOf<
  Name extends string,
  Body,
  Outcome,
  Live extends string,
  Exit extends string,
  Level extends boolean,
> extends Shape {
  readonly name: Name;
  readonly body: Body;
  readonly outcome: Outcome;
  readonly live: Live;
  readonly end: Exclude<Exit, Live> | "cancelled";
  readonly levelTriggered: Level;
}

/**
 * The shape of a defined kind. Write `interface NagKind extends KindOf<typeof nagKind> {}`: then error messages say
 * `DraftOf<NagKind>` and not everything that is in it.
 */
export type KindOf<K> = K extends Kind<infer S> ? S : never;

/** Nothing in a definition may be annotated with the kind's own type: that would be a circle. */
export function defineKind<
  const Name extends string,
  Body,
  Outcome,
  const Live extends string,
  const Exit extends string = never,
  const Level extends boolean = false,
>(
  definition: Pick<Kind, "rests" | "label" | "hint"> & {
    readonly name: Name;
    readonly body: z.ZodType<Body>;
    readonly outcome: z.ZodType<Outcome>;
    readonly states: { readonly [L in Live]: readonly Exit[] };
    readonly levelTriggered?: Level;
  },
): Kind<ShapeOf<Name, Body, Outcome, Live, Exit, Level>>;
/** A kind whose shape is still written by hand. */
export function defineKind<S extends Shape>(
  kind: Kind<S> & { readonly body?: never; readonly outcome?: never },
): Kind<S>;
export function defineKind(kind: Kind): Kind {
  return kind;
}

/** Whether a record of unknown kind is one of this kind. */
export function is<S extends Shape, R extends Pick<LedgerRecord, "kind">>(
  kind: Kind<S>,
  record: R | null | undefined,
): record is R & LedgerRecord<S> {
  return record?.kind === kind.name;
}

export function isLive({ states }: Kind, state: unknown): boolean {
  return typeof state === "string" && Object.hasOwn(states, state);
}

export function isEnd(kind: Kind, state: unknown): boolean {
  return statesOf(kind).includes(String(state)) && !isLive(kind, state);
}

/** Every state of a kind, live or not. */
export function statesOf({ states }: Kind): readonly string[] {
  const live = Object.keys(states);
  return [...new Set([...live, ...Object.values(states).flat(), "cancelled"])];
}

/** Where a write may leave a record that is in a live state. */
export function exitsOf({ states }: Kind, state: string): readonly string[] {
  return [state, ...(states[state] ?? []), "cancelled"];
}
