import type * as z from "zod";
import { DaybookError } from "../platform/errors.ts";
import type { LedgerRecord, ReadonlyDeep, Shape } from "./record.ts";

/**
 * One definition per kind. Nothing in it may be annotated with the kind's own type: that would be a circle.
 * Functions are written as methods, so that a list may hold kinds of every shape.
 */
export interface Kind<S extends Shape = Shape> {
  readonly name: S["name"];
  readonly body: z.ZodType<S["body"]>;
  readonly outcome: z.ZodType<S["outcome"]>;
  /** For every live state: where a write may leave the record. Staying and "cancelled" are always possible. */
  readonly states: Readonly<Record<S["live"], readonly string[]>>;
  /** Its controller observes it for as long as it lives: a verdict may be `unchanged`, which writes no history. */
  readonly levelTriggered: S["levelTriggered"];
  /** How long a record that has ended is kept; absent: as long as the installation says. */
  readonly retention?: { readonly keepMs: number } | "forever";
  /** How the names that its records hold begin. Each prefix belongs to one kind. */
  readonly holds?: readonly string[];
  /** What a record queues behind. */
  lane?(body: S["body"]): string;
  /** Where what it says goes. */
  target?(body: S["body"]): string;
}

/** The shape that a definition gives: ends are the states without exits. */
export interface ShapeOf<
  Name extends string,
  Body,
  Outcome,
  Live extends string,
  Exit extends string,
  Level extends boolean,
> extends Shape {
  readonly name: Name;
  readonly body: ReadonlyDeep<Body>;
  readonly outcome: ReadonlyDeep<Outcome>;
  readonly live: Live;
  readonly end: Exclude<Exit, Live> | "cancelled";
  readonly levelTriggered: Level;
}

type Derived = "name" | "body" | "outcome" | "states" | "levelTriggered";

export function defineKind<
  const Name extends string,
  Body,
  Outcome,
  const Live extends string,
  const Exit extends string = never,
  const Level extends boolean = false,
>(
  definition: Omit<Kind<ShapeOf<Name, Body, Outcome, Live, Exit, Level>>, Derived> & {
    readonly name: Name;
    readonly body: z.ZodType<Body>;
    readonly outcome: z.ZodType<Outcome>;
    readonly states: { readonly [L in Live]: readonly Exit[] };
    readonly levelTriggered?: Level;
  },
): Kind<ShapeOf<Name, Body, Outcome, Live, Exit, Level>> {
  const { levelTriggered = false as Level } = definition;
  return { ...definition, levelTriggered } as unknown as Kind<
    ShapeOf<Name, Body, Outcome, Live, Exit, Level>
  >;
}

/**
 * `interface NagKind extends KindOf<typeof defined> {}` and `const nag: Kind<NagKind> = defined`: with an
 * interface, error messages say `DraftOf<NagKind>` and not what is in it.
 */
export type KindOf<K> = K extends Kind<infer S> ? S : never;

/** The record of one kind by its definition, where no name was given to its shape. */
export type RecordOf<K> = LedgerRecord<KindOf<K>>;

/** Whether a record of unknown kind is one of this kind. */
export function is<S extends Shape, R extends LedgerRecord>(
  kind: Kind<S>,
  record: R | undefined,
): record is R & LedgerRecord<S> {
  return record?.kind === kind.name;
}

/** The kinds of an installation, by name. A stored kind that is not among them is read and never claimed. */
export type Kinds = ReadonlyMap<string, Kind>;

export function kindsOf(kinds: readonly Kind[]): Kinds {
  const byName = new Map<string, Kind>();
  const prefixes = new Map<string, string>();
  for (const kind of kinds) {
    if (byName.has(kind.name))
      throw new DaybookError("bug", `Two kinds are called "${kind.name}".`);
    byName.set(kind.name, kind);
    for (const prefix of kind.holds ?? []) {
      const other = [...prefixes].find(([p]) => p.startsWith(prefix) || prefix.startsWith(p));
      if (other !== undefined) {
        const both = `"${prefix}" of ${kind.name} and "${other[0]}" of ${other[1]}`;
        throw new DaybookError("bug", `Hold prefixes must not overlap: ${both}.`);
      }
      prefixes.set(prefix, kind.name);
    }
  }
  return byName;
}

export function isLive(kind: Kind, state: string): boolean {
  return Object.hasOwn(kind.states, state);
}

export function isEnd(kind: Kind, state: string): boolean {
  if (state === "cancelled") return true;
  return !isLive(kind, state) && Object.values(kind.states).flat().includes(state);
}
