import type * as z from "zod";
import type { LedgerRecord } from "./record.ts";
import type { Shape, Body, Outcome, Live, State } from "./shape.ts";

/**
 * One kind of record. A feature defines it once; the kernel and the stores know none by name. Functions are written
 * as methods, so that a list may hold kinds of every shape.
 */
export interface Kind<S extends Shape = Shape> {
  readonly name: S["name"];
  /** The schemas of the decoded body and outcome. Absent in a kind without schemas. */
  readonly body?: z.ZodType<Body<S>>;
  readonly outcome?: z.ZodType<Outcome<S>>;
  /**
   * For every live state: the states a write may leave the record in. The first state listed is the initial one. A
   * record may always keep its state, and may always be cancelled.
   */
  readonly states: { readonly [L in Live<S>]: readonly State<S>[] };
  /** Its controller observes it again and again until it ends. */
  readonly levelTriggered?: boolean;
  /** A live record may have no wake time: no controller claims it. */
  readonly wakeTimeOptional?: boolean;
  /** Its name for people, when that differs. */
  readonly label?: string;
  /** The end of the error for an unknown id: where else to look for such an id. */
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
 * The shape of a defined kind. Write `interface NagKind extends KindOf<typeof nagKind> {}`: then compiler errors show
 * `DraftOf<NagKind>` instead of its complete type.
 */
export type KindOf<K> = K extends Kind<infer S> ? S : never;

/** Nothing in a definition may be annotated with the kind's own type: that would be circular. */
export function defineKind<
  const Name extends string,
  Body,
  Outcome,
  const Live extends string,
  const Exit extends string = never,
  const Level extends boolean = false,
>(
  definition: Pick<Kind, "wakeTimeOptional" | "label" | "hint"> & {
    readonly name: Name;
    readonly body: z.ZodType<Body>;
    readonly outcome: z.ZodType<Outcome>;
    readonly states: { readonly [L in Live]: readonly Exit[] };
    readonly levelTriggered?: Level;
  },
): Kind<ShapeOf<Name, Body, Outcome, Live, Exit, Level>>;
/** A kind whose shape is written by hand, without schemas. */
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

/** The states in which a write may leave a record of this live state. */
export function exitsOf({ states }: Kind, state: string): readonly string[] {
  return [state, ...(states[state] ?? []), "cancelled"];
}
