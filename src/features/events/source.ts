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
import { sourceShape } from "./kind.ts";

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

/** A book has one source of a name. */
export function makeSource(
  { name, everyMs }: SourceKind["body"],
  owner: string,
): DraftOf<SourceKind> {
  if (!sourceShape.test(name)) {
    throw new DaybookError(
      "invalid",
      `${quote(name)} is not the name of a source: write it like "github".`,
    );
  }
  if (!Number.isSafeInteger(everyMs) || everyMs < everyMsMin || everyMs > everyMsMax) {
    throw new DaybookError(
      "invalid",
      `${name} cannot be polled every ${everyMs} ms: choose from ${everyMsMin} to ${everyMsMax} ms.`,
    );
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

/** Nodes that have the source claim from this queue. */
export function sourceQueue(name: string): `source@${string}` {
  return `source@${name}`;
}

/**
 * A service that is polled for events.
 *
 * An answer may be lost, and a node may die before the events are written, so a poll must be safe to repeat: the
 * same cursor gives at least the same events, under the same names. A source must not acknowledge events to its
 * service before a poll brings their cursor back: only then are they written.
 */
export interface Source {
  /** `github`: the `source` of its events, and a part of their names. */
  readonly name: string;
  /**
   * Reads the events after the cursor; null: this is the first poll. Throws a `DaybookError` whose sentence says what
   * to do; `details.restMs` is the pause that the service asked for.
   */
  poll(cursor: Json, context: PollContext): Promise<Polled>;
}

export interface PollContext {
  /** Aborts when the result is not needed any more. */
  readonly signal: AbortSignal;
}

/** An event as a source reads it. */
export interface SourceEvent {
  /** The same event has the same name on every node and in every poll. */
  readonly name: string;
  readonly type: string;
  readonly repo: string | null;
  readonly payload: Payload;
  /** UTC epoch milliseconds. */
  readonly at: number;
  /** Default: the priority of its type. */
  readonly priority?: Priority | undefined;
  /** The account at the service that did it: events of our own accounts are dropped. */
  readonly actor?: string | undefined;
  /** The chat that it came from. */
  readonly origin?: string;
  /** The number of events that led to it. */
  readonly hops?: number | undefined;
}

/** What a poll returned. */
export interface Polled {
  readonly events: readonly SourceEvent[];
  /** The next poll gets it once the events are written. */
  readonly cursor: Json;
  /** The pause that the service asked for. */
  readonly restMs?: number | undefined;
  /** There are more events: poll again at once. */
  readonly more?: boolean;
  /** Why some of it could not be read. */
  readonly reason?: string | undefined;
}
