import {
  checkCount,
  checkJson,
  checkName,
  checkNote,
  checkTime,
  invalid,
  limits,
  tooLarge,
} from "./check-field.ts";
import type { ListQuery, QueueQuery, ReadQuery } from "./query.ts";
import { priorities } from "./record.ts";
import type { Draft, Edit, Consequences, Hold, Placement, Actor } from "./unit.ts";
import type { Keep, Move, Prune, Settle, Write, ClaimInput } from "./work-unit.ts";

export function checkActor(who: Actor): Actor {
  checkName("owner", who.owner);
  checkName("by", who.by);
  return who;
}

export function checkDraft(draft: Draft): void {
  if (draft.body === undefined) throw invalid("A record needs a body.");
  checkKind(draft);
  checkOneOf(draft, ["state", "ends"]);
  checkJson("body", draft.body);
  if (draft.id !== undefined) checkName("id", draft.id);
  if (draft.parent !== undefined && draft.parent !== null) checkName("parent", draft.parent);
  if (draft.key !== undefined) {
    checkName("key", draft.key.name);
    checkTime("key.until", draft.key.until);
  }
  checkWritten(draft);
}

export function checkEdit(edit: Edit): void {
  checkKind(edit);
  checkJson("body", edit.body);
  checkWritten(edit);
}

export function checkSettle(unit: Settle): void {
  checkCount("fence", unit.fence, 0);
  checkOneOf(unit, ["state", "ends", "unstarted"]);
  if ("unstarted" in unit) {
    if (unit.revision !== undefined) checkCount("revision", unit.revision, 0);
    return checkTime("wakeAt", unit.wakeAt);
  }
  checkCount("revision", unit.revision, 0);
  checkWritten(unit);
  checkConsequences(unit.consequences);
}

export function checkKeep(unit: Keep): void {
  checkCount("fence", unit.fence, 0);
  checkCount("leaseMs", unit.leaseMs, 1);
  checkWritten(unit);
}

export function checkClaim(request: ClaimInput): void {
  checkQueue(request.kind, request.queue);
  checkName("holder", request.holder);
  checkCount("leaseMs", request.leaseMs, 1);
  checkCount("limit", request.limit, 0);
}

export function checkMove(move: Move): void {
  checkTime("to", move.to);
  checkCount("limit", move.limit, 1);
}

export function checkPrune(prune: Prune): void {
  checkTime("endedBefore", prune.endedBefore);
  checkTime("endedFrom", prune.endedFrom);
  checkCount("limit", prune.limit, 1);
  for (const { kind, has } of prune.of ?? []) {
    checkName("kind", kind);
    if (has !== undefined && !/^[A-Za-z]+$/.test(has)) throw invalid(`"has" must be one word.`);
  }
}

export function checkWrite(chunk: Write): void {
  checkStream(chunk);
  if (!(chunk.bytes instanceof Uint8Array)) throw invalid(`"bytes" must be a Uint8Array.`);
}

export function checkPage(query: Pick<ListQuery, "limit" | "idPrefix">): void {
  if (query.idPrefix !== undefined) checkName("idPrefix", query.idPrefix);
  if (query.limit !== undefined) checkCount("limit", query.limit, 1);
}

export function checkInQueue(query: QueueQuery): void {
  checkName("queue", query.queue);
  checkPage(query);
}

export function checkReason(reason: string | undefined): void {
  checkNote("reason", reason);
}

export function checkStream(chunk: Pick<Write | ReadQuery, "stream" | "offset">): void {
  checkName("stream", chunk.stream);
  checkCount("offset", chunk.offset, 0);
}

/** The parts that every write may have. */
function checkWritten(
  unit: Placement & Pick<Draft, "outcome" | "holds" | "note"> & { wakeAt?: unknown },
): void {
  checkJson("outcome", unit.outcome);
  if (unit.lane != null) checkName("lane", unit.lane);
  if (unit.queue !== undefined) checkName("queue", unit.queue);
  if (unit.priority !== undefined && !priorities.includes(unit.priority)) {
    throw invalid(`"priority" must be high, normal or low; got ${JSON.stringify(unit.priority)}.`);
  }
  checkNote("note", unit.note);
  checkTime("wakeAt", unit.wakeAt);
  checkHolds(unit.holds);
}

export function checkConsequences(consequences: Consequences | undefined): void {
  if (consequences === undefined) return;
  const parts = [consequences.append, consequences.edit, consequences.cancel, consequences.wake];
  const count = parts.reduce((sum, part) => sum + (part?.length ?? 0), 0);
  if (count > limits.consequencesMax) {
    throw tooLarge(`${count} consequences in one unit`, limits.consequencesMax);
  }
  consequences.append?.forEach(checkDraft);
  consequences.edit?.forEach(checkEdit);
  for (const { reason } of consequences.cancel ?? []) checkReason(reason);
}

function checkKind({ kind, queue }: Pick<Draft, "kind" | "queue">): void {
  checkName("kind", kind);
  checkQueue(kind, queue);
}

/** Exactly one of the names must be present; one that is present and `undefined` would be ambiguous. */
function checkOneOf(unit: object, names: readonly string[]): void {
  const given = names.filter((name) => Object.hasOwn(unit, name));
  const valueOf = (name: string): unknown => Reflect.get(unit, name);
  if (given.length === 1 && valueOf(given[0] ?? "") !== undefined) return;
  const got = given.map((name) => `${name}: ${JSON.stringify(valueOf(name))}`).join(", ");
  throw invalid(`A write needs exactly one of ${names.join(", ")}; got ${got || "none"}.`);
}

/** A queue's name begins with its kind, so that a claim knows the type of the bodies it gets. */
function checkQueue(kind: string, queue: string | undefined): void {
  if (queue === undefined || queue === kind) return;
  checkName("queue", queue);
  if (!queue.startsWith(`${kind}@`)) {
    throw invalid(`The queue "${queue}" cannot carry a ${kind}: name it "${kind}@…".`);
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
