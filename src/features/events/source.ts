import { defineKind, type Kind } from "../../kernel/kind.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Json } from "../../platform/json.ts";
import { quote } from "../../platform/text.ts";
import { sourceHold } from "./holds.ts";

/** Somewhere that is asked what happened, again and again. */
export interface SourceKind {
  name: "source";
  body: { name: string; everyMs: number };
  outcome: {
    /** Up to where it was heard. It moves in the commit that appends what was heard. */
    heardTo: Json;
    failures: number;
    reason: string | null;
    polledAt: number | null;
  };
  live: "active";
  end: "cancelled";
}

export const sourceKind: Kind<SourceKind> = defineKind({
  name: "source",
  states: { active: [] },
});

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
