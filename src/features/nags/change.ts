import type { Cancel, EditOf, Consequences } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { present } from "../../platform/json.ts";
import type { Quiet } from "../accounts/index.ts";
import {
  checkNag,
  isOver,
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

/** One unit, bound to the revision that was read: refused as `stale` when somebody wrote in between. */
export interface NagChange {
  readonly edit: EditOf<NagKind>;
  readonly consequences: Consequences;
}

/** Reads at once whether a recalled notification was delivered. */
const atOnce = 0;

/** The new time, and the text it was typed as. */
export type Later = Pick<Body, "at" | "atText">;

/** Sends it then instead, and counts on from there. Resumes a paused nag. */
export function snoozed(record: Nag, later: Later): NagChange {
  demandLive(record, "put off");
  return reschedule(record, { ...record.body, ...later }, "snoozed");
}

/** Sends it at once, and forgets earlier failures. */
export function resumed(record: Nag, now: number): NagChange {
  demandLive(record, "resumed");
  return reschedule(record, { ...record.body, at: now, atText: "now" }, "resumed");
}

/** A second request for the same nag: what it names holds from now on, and the count goes on. */
export function requestedAgain(
  record: Nag,
  request: Partial<Omit<NagRequest, "about">> & Later,
  quiet: Quiet | null,
): NagChange {
  if (record.cancelling || record.endedAt !== null) demandLive(record);
  const body = { ...record.body, ...present(request), isDone: undefined }; // a new request undoes a "done"
  checkNag(body, record.priority === "high" ? null : quiet);
  return reschedule(record, body, "asked again");
}

/** Sends nothing until somebody resumes it. */
export function paused(record: Nag, reason: string | null = null): NagChange {
  demandLive(record, "paused");
  const outcome = { ...idleOutcome(record), reason };
  const wakeAt = outcome.recalled === undefined ? null : atOnce;
  return {
    edit: { ...editOf(record), outcome, state: "paused", wakeAt },
    consequences: recall(record, "paused"),
  };
}

/** Ends it; a nag under a lease is only marked, and its holder ends it. */
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

/** Ends it as cancelled: sent no more, and not done. */
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

/** A person asks for a time: the plan so far is void. */
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

/** Refuses to change a nag that has ended, or is about to. */
function demandLive(record: Nag, verb?: string): void {
  if (!isOver(record)) return;
  const state = stateOf(record);
  const sentence =
    verb === undefined
      ? `It is ${record.cancelling ? "being deleted" : state} already: ask for it anew.`
      : `It is ${state} already, so it cannot be ${verb}: ask for it anew.`;
  throw new DaybookError("ended", sentence, { details: { state } });
}

/** One unit: deletes a page, and cancels the nags about it. */
export function pageDeletion(
  { kind, id, revision: ifRevision, body: { pageId } }: Page,
  nags: readonly Nag[],
): { edit: EditOf<PageKind>; consequences: Consequences } {
  const gone = nags
    .filter(({ endedAt, cancelling }) => endedAt === null && !cancelling)
    .map((nag) => deleted(nag, "its page was deleted"));
  const cancel = gone.flatMap(({ consequences }): readonly Cancel[] => consequences.cancel ?? []);
  return {
    edit: { kind, id, ifRevision, body: { pageId, title: "", body: "" }, state: "deleted" },
    consequences: { edit: gone.map(({ edit }) => edit), cancel },
  };
}
