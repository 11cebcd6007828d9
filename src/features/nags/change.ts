import type { Cancel, EditOf, Consequences } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { present } from "../../platform/json.ts";
import type { Quiet } from "../accounts/index.ts";
import {
  checkNag,
  hasEnded,
  lastingHolds,
  type Nag,
  type NagKind,
  nagOutcome,
  type NagRequest,
  stateOf,
} from "./kind.ts";
import type { Page, PageKind } from "./page.ts";

type Body = NagKind["body"];
type Outcome = NagKind["outcome"];

/** One unit, bound to the revision that was read: refused as `stale` when another write came in between. */
export interface NagChange {
  readonly edit: EditOf<NagKind>;
  readonly consequences: Consequences;
}

/** Wakes the controller at once to read whether a recalled notification was delivered. */
const atOnce = 0;

/** The new time, and the text it was typed as. */
export type Later = Pick<Body, "at" | "atText">;

/** Moves the next message; the curve continues from there. Resumes a paused nag. */
export function snoozed(record: Nag, later: Later): NagChange {
  demandLive(record, "snoozed");
  return reschedule(record, { ...record.body, ...later }, "snoozed");
}

/** Sends it at once, and resets earlier failures. */
export function resumed(record: Nag, now: number): NagChange {
  demandLive(record, "resumed");
  return reschedule(record, { ...record.body, at: now, atText: "now" }, "resumed");
}

/** Applies a second request to the existing nag, which keeps its count. */
export function requestedAgain(
  record: Nag,
  request: Partial<Omit<NagRequest, "about">> & Later,
  quiet: Quiet | null,
): NagChange {
  if (record.cancelling || record.endedAt !== null) demandLive(record);
  const body = { ...record.body, ...present(request), isDone: undefined }; // a new request undoes a "done"
  checkNag(body, record.priority === "high" ? null : quiet);
  return reschedule(record, body, "requested again");
}

/** Sends nothing until it is resumed. */
export function paused(record: Nag, reason: string | null = null): NagChange {
  demandLive(record, "paused");
  const outcome = { ...idleOutcome(record), reason };
  const wakeAt = outcome.recalled === undefined ? null : atOnce;
  return {
    edit: { ...editOf(record), outcome, state: "paused", wakeAt },
    consequences: recall(record, "paused"),
  };
}

/** Ends it as done. A nag under a lease is only marked, and the lease's holder ends it. */
export function finished(record: Nag): NagChange {
  demandLive(record);
  const outcome = idleOutcome(record);
  const consequences = recall(record, "done");
  const { kind, id, ifRevision, holds } = editOf(record);
  const edit: EditOf<NagKind> =
    record.lease === null
      ? { kind, id, ifRevision, outcome, ends: "done" }
      : { kind, id, ifRevision, outcome, holds, body: { ...record.body, isDone: true } };
  return { edit, consequences };
}

/** Ends it as cancelled. */
export function deleted(record: Nag, reason = "deleted"): NagChange {
  const { cancel = [] } = recall(record, reason);
  const { kind, id, ifRevision } = editOf(record);
  // The edit binds the cancel to this revision: a notification appended since would go on.
  const edit = { kind, id, ifRevision, outcome: idleOutcome(record) };
  return { edit, consequences: { cancel: [{ id, reason }, ...cancel] } };
}

/** Cancels the notification that is being sent. */
function recall(record: Nag, reason: string): Consequences {
  const { saying } = nagOutcome(record);
  return saying === null ? {} : { cancel: [{ id: saying, reason }] };
}

/** Sets the time that a person requested, which voids the plan so far. */
function reschedule(record: Nag, { asked: before, ...rest }: Body, reason: string): NagChange {
  const body = { ...rest, asked: before + 1 };
  const outcome = replanned(record, body);
  const wakeAt = outcome.recalled === undefined ? body.at : atOnce;
  return {
    edit: { ...editOf(record), body, outcome, state: "active", wakeAt },
    consequences: recall(record, reason),
  };
}

/** The plan that follows from the newest request. */
export function replanned(record: Nag, { asked, at }: Body): Outcome {
  return { ...idleOutcome(record), nextAt: at, failures: 0, reason: null, asked };
}

function idleOutcome(record: Nag): Outcome {
  const { saying, ...before } = nagOutcome(record);
  const recalled = saying ?? before.recalled;
  return { ...before, recalled, saying: null, nextAt: null, counted: null };
}

function editOf({ kind, id, owner, revision, body }: Nag) {
  return { kind, id, ifRevision: revision, holds: lastingHolds(owner, body) };
}

/** Another request wrote to the same records in between. */
export function staleWrite(cause?: unknown): DaybookError {
  const sentence = "Another request changed it at the same time: try again.";
  return new DaybookError("stale", sentence, { cause });
}

/** Refuses to change a nag that has ended, or is about to. */
function demandLive(record: Nag, verb?: string): void {
  if (!hasEnded(record)) return;
  const state = stateOf(record);
  const sentence =
    verb === undefined
      ? `This nag is already ${record.cancelling ? "being deleted" : state}: create a new one.`
      : `This nag is already ${state} and cannot be ${verb}: create a new one.`;
  throw new DaybookError("ended", sentence, { details: { state } });
}

/** One unit: deletes a page, and cancels the nags about it. */
export function pageDeletion(
  { kind, id, revision: ifRevision, body: { pageId } }: Page,
  nags: readonly Nag[],
): { edit: EditOf<PageKind>; consequences: Consequences } {
  const deletions = nags
    .filter(({ endedAt, cancelling }) => endedAt === null && !cancelling)
    .map((nag) => deleted(nag, "its page was deleted"));
  const cancel = deletions.flatMap(
    ({ consequences }): readonly Cancel[] => consequences.cancel ?? [],
  );
  return {
    edit: { kind, id, ifRevision, body: { pageId, title: "", body: "" }, state: "deleted" },
    consequences: { edit: deletions.map(({ edit }) => edit), cancel },
  };
}
