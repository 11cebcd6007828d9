import type { AnyRecord, Claimed } from "../../kernel/record.ts";
import type { Claim, ClaimInput } from "../../kernel/work-unit.ts";
import { type FullSqlRow, priorityNumbers, recordOf } from "../sql/row.ts";
import type { Database } from "./database.ts";
import type { Fields } from "./executors.ts";
import { type Floors, noFloors } from "./floors.ts";
import { rowColumns, rowOf, time } from "./rows.ts";
import type { Session } from "./transactions.ts";

type Statements = Pick<Database, "read" | "once">;

interface Scan {
  readonly now: number;
  readonly nextWakeAt: number | null;
  /** The wake times from which it scanned, per priority. */
  readonly lowest: readonly number[];
}

/**
 * Leases due records. Only the narrow due row is written, unless an earlier lease had lapsed. Most claims of a
 * quiet book find nothing, so a scan that writes nothing comes first.
 */
export async function claimDue(
  database: Statements,
  request: ClaimInput,
  floors: Floors,
): Promise<Claim> {
  // Floors are for scans of the whole queue: a lane has an index of its own, and is freed to any time.
  const isQueueScan = request.lane === undefined && (request.except ?? []).length === 0;
  const used = isQueueScan ? floors : noFloors;
  const scan = await firstScan(database, request, used);
  const { now, nextWakeAt } = scan;
  const isDue = nextWakeAt !== null && nextWakeAt <= now;
  if (isDue && request.limit > 0) return take(database, request, used, scan);
  used.raise(request.queue ?? request.kind, [], { ...request, now });
  return { records: [], now, nextWakeAt };
}

/** Scans from the last floors, and again if they are no longer valid. */
async function firstScan({ read }: Statements, request: ClaimInput, floors: Floors): Promise<Scan> {
  const queue = request.queue ?? request.kind;
  const scan = (lowest: readonly number[]): Promise<Scan> =>
    read((session) => nextDue(session, request, lowest));
  const seen = await scan(floors.last(queue));
  const lowest = floors.of(queue, seen.now);
  const isValid = lowest.every((at, priority) => at >= (seen.lowest[priority] ?? 0));
  return isValid ? { ...seen, lowest } : scan(lowest);
}

async function take(
  { once }: Statements,
  request: ClaimInput,
  floors: Floors,
  { now, lowest }: Scan,
): Promise<Claim> {
  const records: AnyRecord[] = [];
  for (;;) {
    const limit = request.limit - records.length;
    const [found, next] = await once((session) =>
      Promise.all([
        takeDue(session, { ...request, limit }, now, lowest),
        nextDue(session, request, lowest),
      ]),
    );
    floors.raise(request.queue ?? request.kind, found, { ...request, now, limit });
    const taken = found.filter((fields) => fields["taken"] === true);
    records.push(...taken.map((fields) => recordOf(leasedRow(fields, now))));
    // Records that this claim ended do not count, so more may be due.
    if (taken.length === found.length) {
      return { records: records as Claimed[], now, nextWakeAt: next.nextWakeAt };
    }
  }
}

/** The record was read as it was before this claim wrote that the earlier lease had lapsed. */
function leasedRow(fields: Fields, now: number): FullSqlRow {
  const row = rowOf(fields);
  return fields["lapsed"] === true ? { ...row, updatedAt: now } : row;
}

async function takeDue(
  session: Session,
  request: ClaimInput,
  now: number,
  lowest: readonly number[],
): Promise<readonly Fields[]> {
  const { kind, queue = kind, holder, leaseMs, limit } = request;
  const params = [...lowest, ...lanesOf(request).params];
  return session.query(claimText(request), [now, queue, holder, leaseMs, limit, ...params]);
}

/** The lanes of a claim, as the last parameter. */
function lanesOf({ lane, except = [] }: ClaimInput): {
  where(parameter: string): string;
  params: readonly string[];
} {
  if (lane !== undefined) return { where: (name) => `and lane = ${name}`, params: [lane] };
  if (except.length === 0) return { where: () => "", params: [] };
  const isOther = (name: string): string =>
    `and (lane is null or lane not in (select json_array_elements_text(${name}::text::json)))`;
  return { where: isOther, params: [JSON.stringify(except)] };
}

/**
 * One branch per priority: each walks the index from its floor, and the limit around them stops before the next
 * branch starts. Rows that another claim has locked are skipped. After a lapsed lease the record is written too:
 * lapsed, or ended if a cancel was requested, because no new attempt starts then.
 */
function claimText(request: ClaimInput): string {
  const order = request.lowFirst ? priorityNumbers.toReversed() : priorityNumbers;
  const lanes = lanesOf(request).where("$9");
  const branch = (priority: number): string => `
    select * from (
      select * from daybook.due where queue = $2 ${lanes} and priority = ${priority} and wake_at >= $${priority + 6} and wake_at <= $1
      order by wake_at, id limit $5 for update skip locked) p${priority}`;
  return `
    with p as materialized (
      select *, row_number() over () as n
      from (${order.map(branch).join(" union all ")} limit $5) found),
    ${takeOver}
    d as (
      update daybook.due d set holder = $3, claimed_at = $1::bigint, wake_at = $1::bigint + $4::bigint,
        woken_at = null, attempt = d.attempt + 1, fence = d.fence + 1,
        lapses = d.lapses + case when p.holder is null then 0 else 1 end
      from p where d.id = p.id and p.id not in (select id from cancelled)
      returning d.*, p.n, p.wake_at as due_at, p.holder is not null as lapsed),
    found as (
      select id, n, due_at, lapsed, true as taken, attempt, lapses, fence, wake_at, ready_at, woken_at,
        holder, claimed_at from d
      union all
      select id, n, $1, true, false, 0, 0, 0, $1, $1, null, null, null from cancelled)
    select ${rowColumns}, d.n, d.due_at as "dueAt", d.taken, d.lapsed
    from found d join daybook.record r on r.id = d.id order by d.n`;
}

const takeOver = `
  l as (
    update daybook.record r set updated_at = $1::bigint,
      state = case when r.cancelling then 'cancelled' else r.state end,
      revision = r.revision + r.cancelling::int,
      ended_at = case when r.cancelling then $1::bigint end,
      attempt = p.attempt, lapses = p.lapses + 1, fence = p.fence
    from p join daybook.record before on before.id = p.id
    where r.id = p.id and p.holder is not null
    returning p.n, r.id, r.owner, before.state, r.revision, r.cancelling, p.attempt, p.holder, p.claimed_at),
  cancelled as materialized (select * from l where cancelling),
  gone as (delete from daybook.due d using cancelled c where d.id = c.id),
  freed as (delete from daybook.hold h using cancelled c where h.id = c.id),
  e as (insert into daybook.ended (at, id) select $1::bigint, id from cancelled),
  h as (
    insert into daybook.history (id, owner, what, state, revision, attempt, at, by, claimed_at)
    select id, owner, what, state, revision, attempt, $1::bigint, by, claimed_at from (
      select n, id, owner, 'lapsed' as what, state, revision - cancelling::int as revision, attempt,
        holder as by, claimed_at from l
      union all
      select n, id, owner, 'cancelled', 'cancelled', revision, attempt, $3, null from cancelled) rows
    order by n, what desc),`;

async function nextDue(
  session: Session,
  request: ClaimInput,
  lowest: readonly number[],
): Promise<Scan> {
  const { kind, queue = kind } = request;
  const lanes = lanesOf(request);
  const first = (priority: number): string => `(
    select wake_at from daybook.due
    where queue = $1 ${lanes.where("$5")} and priority = ${priority} and wake_at >= $${priority + 2}
    order by wake_at limit 1)`;
  const [row] = await session.query(
    `select daybook.now_ms() as now, least(${priorityNumbers.map(first).join(", ")}) as at`,
    [queue, ...lowest, ...lanes.params],
  );
  return { now: Number(row?.["now"]), nextWakeAt: time(row?.["at"]), lowest };
}
