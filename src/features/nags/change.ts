import type { LedgerRecord } from "../../kernel/record.ts";
import type { EditOf, Consequences } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Quiet } from "../accounts/profile.ts";
import { checkNag, lastingHolds, type NagRequest, type NagKind, seenOf } from "./kind.ts";

type Nag = LedgerRecord<NagKind>;
type Body = NagKind["body"];
type Outcome = NagKind["outcome"];

/** One unit. It is on what was read: when somebody wrote meanwhile it is `stale`, and to be made anew. */
export interface NagChange {
  readonly edit: EditOf<NagKind>;
  readonly consequences: Consequences;
}

/** Whether what was taken back arrived is looked up, and counted. */
const atOnce = 0;

/** When it is to be said instead, and the words for it. */
export type Later = Pick<Body, "at" | "atText">;

/** Put off: it is said then, and counts on from there. One that rests goes on. */
export function snoozed(record: Nag, later: Later): NagChange {
  checkLives(record);
  return asks(record, { ...record.body, ...later }, "snoozed");
}

/** It goes on at once; what came to nothing before no longer counts. */
export function resumed(record: Nag, now: number): NagChange {
  checkLives(record);
  return asks(record, { ...record.body, at: now, atText: "now" }, "resumed");
}

/** Asked for once more: said when that says, in the way that says, and the count goes on. */
export function askedAgain(
  record: Nag,
  request: Partial<Omit<NagRequest, "about">> & Later,
  quiet: Quiet | null,
): NagChange {
  const { isDone: _, ...before } = record.body; // whoever asks anew is not done with it
  if (record.cancelling || record.endedAt !== null) checkLives(record);
  const body = { ...before, ...request };
  checkNag(body, record.priority === "high" ? null : quiet);
  return asks(record, body, "asked again");
}

/** It rests until somebody takes it up again. */
export function paused(record: Nag, reason: string | null = null): NagChange {
  checkLives(record);
  const outcome = { ...atRest(record), reason };
  return {
    edit: {
      ...editOf(record),
      outcome,
      state: "paused",
      wakeAt: outcome.takenBack === undefined ? null : atOnce,
    },
    consequences: cancelsSaying(record, "paused"),
  };
}

/** Whoever has it at this moment ends it; else it ends here. Refused as `leased` when that was just now. */
export function finished(record: Nag): NagChange {
  checkLives(record);
  const outcome = atRest(record);
  const consequences = cancelsSaying(record, "done");
  if (record.lease === null) {
    const { kind, id, ifRevision } = editOf(record);
    return { edit: { kind, id, ifRevision, outcome, ends: "done" }, consequences: consequences };
  }
  return {
    edit: { ...editOf(record), body: { ...record.body, isDone: true }, outcome },
    consequences: consequences,
  };
}

/** It is not said any more, and is not done. */
export function deleted(record: Nag, reason = "deleted"): NagChange {
  const { cancel = [] } = cancelsSaying(record, reason);
  const { kind, id, ifRevision } = editOf(record);
  // The edit holds it to what was read: what says it by then would go on.
  const edit = { kind, id, ifRevision, outcome: atRest(record) };
  return { edit, consequences: { cancel: [{ id, reason }, ...cancel] } };
}

/** Takes back what says it right now. */
function cancelsSaying(record: Nag, reason: string): Consequences {
  const { saying } = seenOf(record);
  return saying === null ? {} : { cancel: [{ id: saying, reason }] };
}

/** A person asks for a time: what was planned before is not followed any more. */
function asks(record: Nag, { asked: before, ...rest }: Body, reason: string): NagChange {
  const request = before + 1;
  const body = { ...rest, asked: request };
  const outcome = replanned(record, body);
  const wakeAt = outcome.takenBack === undefined ? body.at : atOnce;
  return {
    edit: { ...editOf(record), body, outcome, state: "active", wakeAt },
    consequences: cancelsSaying(record, reason),
  };
}

/** The plan that follows from what was asked. */
export function replanned(record: Nag, { asked, at }: Body): Outcome {
  return { ...atRest(record), nextAt: at, failures: 0, reason: null, asked };
}

function atRest(record: Nag): Outcome {
  const { saying, ...before } = seenOf(record);
  const takenBack = saying === null ? {} : { takenBack: saying };
  return { ...before, ...takenBack, saying: null, nextAt: null, counted: null };
}

function editOf({ kind, id, owner, revision, body }: Nag): {
  kind: "nag";
  id: string;
  ifRevision: number;
  holds: ReturnType<typeof lastingHolds>;
} {
  return { kind, id, ifRevision: revision, holds: lastingHolds(owner, body) };
}

function checkLives({ state, endedAt, cancelling, body }: Nag): void {
  if (endedAt === null && !cancelling && body.isDone !== true) return;
  const why = endedAt !== null ? state : cancelling ? "being deleted" : "done";
  throw new DaybookError("ended", `It is ${why} already: ask for it anew.`, {
    details: { state: endedAt === null && !cancelling ? "done" : state },
  });
}
