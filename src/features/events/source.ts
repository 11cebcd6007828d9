import * as z from "zod";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import type { Priority } from "../../kernel/record.ts";
import { count, json, moment } from "../../kernel/schemas.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Json } from "../../platform/json.ts";
import { quote } from "../../platform/text.ts";
import type { Payload } from "../tasks/index.ts";
import { sourceHold } from "./holds.ts";

/** A service that is polled for events. */
export const sourceKind = defineKind({
  name: "source",
  body: z.strictObject({ name: z.string(), everyMs: z.int().positive() }),
  outcome: z.strictObject({
    /** The cursor of the last poll. It moves in the commit that appends the events. */
    cursor: json,
    failures: count,
    reason: z.string().nullable(),
    polledAt: moment.nullable(),
  }),
  states: { active: [] },
});
export interface SourceKind extends KindOf<typeof sourceKind> {}

const everyMsMin = 1_000;
const everyMsMax = 24 * 60 * 60_000;

/** One in a book for each name. */
export function makeSource(
  { name, everyMs }: SourceKind["body"],
  owner: string,
): DraftOf<SourceKind> {
  if (!/^[a-z][a-z0-9_-]{0,49}$/.test(name)) {
    throw new DaybookError(
      "invalid",
      `${quote(name)} is no name of a source: write it like "github".`,
    );
  }
  if (!Number.isSafeInteger(everyMs) || everyMs < everyMsMin || everyMs > everyMsMax) {
    throw new DaybookError("invalid", `Ask ${name} every second at most, and every day at least.`);
  }
  return {
    kind: "source",
    body: { name, everyMs },
    state: "active",
    queue: sourceQueue(name),
    wakeAt: 0,
    holds: [sourceHold(owner, name)],
    parent: null,
  };
}

/** Who asks it: a node that has it. */
export function sourceQueue(name: string): `source@${string}` {
  return `source@${name}`;
}

/**
 * Somewhere that is asked what happened.
 *
 * An answer may be lost and a node may die before what was heard is written, so that a poll must be safe to
 * repeat: the same cursor gives at least the same events, under the same names. Nothing that would
 * make the service forget them may be done before the cursor comes back: only then are they written.
 */
export interface Source {
  /** `github`: what its events say they come from, and what their names begin with. */
  readonly name: string;
  /**
   * What happened after the cursor; null: nobody has asked before. Throws a `DaybookError` whose sentence says what
   * to do; `details.restMs` is how long the service wants to be left alone.
   */
  poll(cursor: Json, context: PollContext): Promise<Polled>;
}

export interface PollContext {
  /** Aborts when the answer is of no use any more. */
  readonly signal: AbortSignal;
}

/** Something that happened, as a source tells it. */
export interface SourceEvent {
  /** The same thing has the same name, whoever hears it and however often. */
  readonly name: string;
  readonly type: string;
  readonly repo: string | null;
  readonly payload: Payload;
  /** UTC epoch milliseconds. */
  readonly at: number;
  /** As its type has it unless told. */
  readonly priority?: Priority | undefined;
  /** Who did it, as the service calls them: what we did ourselves is no news. */
  readonly actor?: string | undefined;
  /** The chat it was heard in. */
  readonly origin?: string;
  /** How many events led to it. */
  readonly hops?: number | undefined;
}

/** What a source answered. */
export interface Polled {
  readonly events: readonly SourceEvent[];
  /** Up to where was heard: comes back once the events are written. */
  readonly cursor: Json;
  /** The service wants to be left alone for so long. */
  readonly restMs?: number | undefined;
  /** There is more to be heard at once. */
  readonly more?: boolean;
  /** What could not be read of it. */
  readonly reason?: string | undefined;
}
