import type { LedgerRecord } from "./record.ts";

/** What the records of one kind look like: the only thing that the types of the kernel are generic over. */
export interface Shape {
  readonly name: string;
  /** What was asked for. */
  readonly body: unknown;
  /** What was seen. */
  readonly outcome: unknown;
  /** The states of a record that has not ended. */
  readonly live: string;
  /** The states that never change. */
  readonly end: string;
  /** Its controller may find that nothing has changed, which writes no history. */
  readonly levelTriggered?: true;
}

export type Body<S extends Shape> = S["body"];
export type Outcome<S extends Shape> = S["outcome"];
export type Live<S extends Shape> = S["live"];
export type End<S extends Shape> = S["end"];
export type State<S extends Shape> = Live<S> | End<S>;

/** One kind of record. A feature defines it once; the kernel and the stores know none by name. */
export interface Kind<S extends Shape = Shape> {
  readonly name: S["name"];
  /**
   * For every live state: the states a write may leave the record in. The first is the one it is written in. A
   * record may always stay as it is, and may always be cancelled.
   */
  readonly states: { readonly [L in Live<S>]: readonly State<S>[] };
  /** What people call it, if that is not its name. */
  readonly label?: string;
  /** Where to look for an id that is of no such record, as the end of a sentence. */
  hint?(id: string): string;
}

export function defineKind<S extends Shape>(kind: Kind<S>): Kind<S> {
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
