import type { Change } from "../ledger/reading.ts";
import type { AnyRecord, LedgerRecord } from "../rules/record.ts";
import { oneLine, quote } from "../rules/text.ts";
import { distance, inWords, span } from "../rules/times.ts";
import type { Context } from "./operation.ts";

export interface Explained {
  record: AnyRecord;
  /** What caused it, nearest first. */
  because: readonly AnyRecord[];
  history: readonly Change[];
}

const charsMax = 200;

/** A record's story: where it stands, what was asked, why, what happened, what is next. */
export function tell({ record, because, history }: Explained, context: Context): string {
  const { zone } = context;
  return [
    headline(record, zone),
    ...(record.kind === "notification" ? asked(record, zone) : []),
    ...because.map((cause) => line("because", `${cause.kind} ${cause.id}, ${cause.state}`)),
    ...history.map((change) => line(inWords(change.at, zone), happened(change))),
    ...(record.endedAt === null ? [line("next", next(record, context))] : []),
  ].join("\n");
}

function headline(record: AnyRecord, zone: string): string {
  const when = record.endedAt === null ? "" : ` ${inWords(record.endedAt, zone)} ${zone}`;
  const what = `${record.kind} ${record.id}  ${record.state}${when}`;
  if (record.kind !== "notification") return what;
  const receipt = record.outcome?.receipt ?? null;
  const proof = receipt === null ? "" : `, receipt ${oneLine(JSON.stringify(receipt), charsMax)}`;
  return `${what} to ${record.body.target}${proof}${doubt(record)}`;
}

function doubt({ state, outcome }: LedgerRecord<"notification">): string {
  if (outcome?.maybeDelivered !== true) return "";
  return state === "delivered"
    ? "; an earlier attempt may also have arrived"
    : "; an attempt may have arrived all the same";
}

function asked(record: LedgerRecord<"notification">, zone: string): string[] {
  const { message, at, atText, origin } = record.body;
  const late =
    record.state === "delivered" ? `, said ${span((record.endedAt ?? at) - at)} after that` : "";
  return [
    line("message", oneLine(message, charsMax)),
    line("time", `${inWords(at, zone)} ${zone}, asked as ${quote(atText)} in ${origin}${late}`),
  ];
}

function happened(change: Change): string {
  const note = change.note === null ? "" : `: ${oneLine(change.note, charsMax)}`;
  switch (change.what) {
    case "appended":
      return `asked by ${change.by}${note}`;
    case "edited":
      return `edited by ${change.by}${note}`;
    case "kept":
      return `attempt ${change.attempt} went on${note}`;
    case "lapsed":
      return `attempt ${change.attempt} on ${change.by} was cut off: its fate is unknown`;
    case "settled":
      return `attempt ${change.attempt} on ${change.by} left it ${change.state}${took(change)}${note}`;
    case "cancelling":
      return `cancel asked by ${change.by} while an attempt was under way${note}`;
    case "cancelled":
      return `cancelled by ${change.by}${note}`;
  }
}

function took(change: Change): string {
  return change.claimedAt === null ? "" : ` after ${span(change.at - change.claimedAt)}`;
}

function next({ lease, wakeAt, readyAt, cancelling }: AnyRecord, context: Context): string {
  if (wakeAt === null) return "it waits for an answer or an edit";
  const now = context.now();
  if (wakeAt <= now) {
    const due = lease === null ? "due" : `${lease.holder} was cut off: due again`;
    return `${due} for ${span(now - wakeAt)}; if that is long, see that \`daybook start\` runs`;
  }
  if (lease !== null) {
    return `${lease.holder} is at work on it${cancelling ? "; then it ends cancelled" : ""}`;
  }
  const due = `due ${inWords(wakeAt, context.zone)} (${distance(wakeAt - now)})`;
  return readyAt !== null && readyAt < wakeAt ? `${due}, behind others to the same place` : due;
}

function line(name: string, text: string): string {
  return `  ${name.padEnd(25)} ${text}`;
}
