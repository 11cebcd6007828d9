import { DaybookError } from "../base/errors.ts";
import type { Draft, Edit, Follows, Hold } from "./unit.ts";
import type { Who } from "./verbs.ts";

/** The most a record may weigh. Larger things belong in its output, or elsewhere. */
export const limits: Readonly<
  Record<"bodyBytesMax" | "nameCharsMax" | "holdsMax" | "followsMax", number>
> = {
  bodyBytesMax: 256 * 1024,
  nameCharsMax: 256,
  holdsMax: 64,
  followsMax: 10_000,
};

export function checkWho(who: Who): Who {
  checkName("owner", who.owner);
  checkName("by", who.by);
  return who;
}

export function checkDraft(draft: Draft): void {
  checkQueue(draft.kind, draft.queue);
  checkJson("body", draft.body);
  checkJson("outcome", draft.outcome);
  if (draft.key !== undefined) checkName("key", draft.key.name);
  if (draft.lane != null) checkName("lane", draft.lane);
  if ("wakeAt" in draft) checkTime("wakeAt", draft.wakeAt);
  checkHolds(draft.holds);
}

export function checkEdit(edit: Edit): void {
  checkQueue(edit.kind, edit.queue);
  checkJson("body", edit.body);
  checkJson("outcome", edit.outcome);
  if (edit.lane != null) checkName("lane", edit.lane);
  if ("wakeAt" in edit) checkTime("wakeAt", edit.wakeAt);
  checkHolds(edit.holds);
}

export function checkFollows(follows: Follows | undefined): void {
  if (follows === undefined) return;
  const parts = [follows.append, follows.edit, follows.cancel, follows.wake];
  const count = parts.reduce((sum, part) => sum + (part?.length ?? 0), 0);
  if (count > limits.followsMax) {
    throw tooLarge(`${count} consequences in one unit`, limits.followsMax);
  }
  follows.append?.forEach(checkDraft);
  follows.edit?.forEach(checkEdit);
  for (const wake of follows.wake ?? []) checkTime("wake.at", wake.at);
}

/** A queue says which kind it carries, so that whoever claims it knows the body it gets. */
function checkQueue(kind: string, queue: string | undefined): void {
  if (queue === undefined || queue === kind) return;
  checkName("queue", queue);
  if (!queue.startsWith(`${kind}@`)) {
    throw invalid(`The queue "${queue}" cannot carry a ${kind}: name it "${kind}@…".`);
  }
}

function checkName(what: string, name: string): void {
  if (typeof name !== "string" || name === "" || name !== name.trim()) {
    throw invalid(
      `"${what}" must be a name without spaces around it; got ${JSON.stringify(name)}.`,
    );
  }
  if (name.length > limits.nameCharsMax) throw tooLarge(what, limits.nameCharsMax);
}

function checkTime(what: string, time: number | null | undefined): void {
  if (time === null || time === undefined) return;
  if (!Number.isSafeInteger(time) || time < 0) {
    throw invalid(`"${what}" must be whole milliseconds since 1970; got ${time}.`);
  }
}

function checkHolds(holds: readonly Hold[] | undefined): void {
  if (holds === undefined) return;
  if (holds.length > limits.holdsMax) throw tooLarge("holds", limits.holdsMax);
  for (const hold of holds) {
    const names = typeof hold === "string" ? [hold] : hold.oneOf;
    if (names.length === 0) throw invalid("A hold with `oneOf` must name at least one name.");
    for (const name of names) checkName("hold", name);
  }
}

function checkJson(what: string, value: unknown): void {
  if (value === undefined) return;
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new DaybookError("invalid", `"${what}" must be plain JSON.`, { cause });
  }
  if (text === undefined) throw invalid(`"${what}" must be plain JSON.`);
  if (Buffer.byteLength(text) > limits.bodyBytesMax) throw tooLarge(what, limits.bodyBytesMax);
}

function invalid(message: string): DaybookError {
  return new DaybookError("invalid", message);
}

function tooLarge(what: string, max: number): DaybookError {
  return new DaybookError("too_large", `"${what}" is over its limit of ${max}: make it smaller.`, {
    details: { what, max },
  });
}
