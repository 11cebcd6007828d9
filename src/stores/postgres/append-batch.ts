import type { Appended } from "../../kernel/unit.ts";
import type { Verbs } from "../../kernel/verbs.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Ids } from "../../platform/ids.ts";
import { recordOf } from "../sql/row.ts";
import { insertRecords, isPlain } from "./append.ts";
import type { Reply } from "./batch.ts";
import type { Database } from "./database.ts";
import { faultOf } from "./faults.ts";
import type { Session } from "./transactions.ts";
import { appendUnit } from "./writes.ts";

type Call = Verbs["append"]["input"];
type Replies = Map<Call, Reply<Appended>>;

/** Many appends: the plain ones are one statement, the rest one transaction. */
export async function appendAll(
  database: Database,
  calls: readonly Call[],
  ids: Ids,
): Promise<readonly Reply<Appended>[]> {
  const replies: Replies = new Map();
  await appendPlain(database, calls, { replies, ids });
  const rest = calls.filter((call) => !replies.has(call));
  if (rest.length > 0) await appendRest(database, rest.toSorted(byKey), { replies, ids });
  return calls.map((call) => replies.get(call) ?? { error: new DaybookError("bug", "No answer.") });
}

interface Context {
  readonly replies: Replies;
  readonly ids: Ids;
}

/** Calls whose record exists already get no reply here: `appendRest` handles them. */
async function appendPlain(
  database: Database,
  calls: readonly Call[],
  { replies, ids }: Context,
): Promise<void> {
  const plain = new Map<string, Call>();
  for (const call of calls) {
    const uid = call.draft.id ?? ids();
    if (isPlain(call.draft) && call.consequences === undefined && !plain.has(uid))
      plain.set(uid, call);
  }
  if (plain.size === 0) return;
  const fresh = [...plain].map(([uid, { who, draft }]) => ({ act: who, draft, uid }));
  try {
    const rows = await database.once((session) => insertRecords(session, fresh));
    for (const row of rows) {
      const call = plain.get(row.uid);
      if (call) replies.set(call, { answer: { fresh: true, id: row.uid, record: recordOf(row) } });
    }
  } catch (error) {
    // A bad call must not fail the others: all of them run again one by one.
    if (isCallError(error) && plain.size > 1) return;
    for (const call of plain.values()) replies.set(call, { error });
  }
}

async function appendRest(
  database: Database,
  calls: readonly Call[],
  { replies, ids }: Context,
): Promise<void> {
  try {
    const answers = await database.write(async (session) => {
      const found: [Call, Reply<Appended>][] = [];
      for (const call of calls) found.push([call, await replyTo(session, call, ids)]);
      return found;
    });
    for (const [call, reply] of answers) replies.set(call, reply);
  } catch (error) {
    if (isCallError(error) && calls.length > 1) {
      for (const call of calls) await appendRest(database, [call], { replies, ids });
    } else {
      for (const call of calls) replies.set(call, { error });
    }
  }
}

async function replyTo(session: Session, call: Call, ids: Ids): Promise<Reply<Appended>> {
  try {
    return { answer: await appendUnit(session, call, ids) };
  } catch (error) {
    if (error instanceof DaybookError) return { error };
    throw error;
  }
}

function isCallError(error: unknown): boolean {
  return ["bug", "invalid", "busy"].includes(faultOf(error).code);
}

/** All batches use this order: two that insert the same keys must not deadlock. */
function byKey(a: Call, b: Call): number {
  const [first = "", second = ""] = [a.draft.key?.name, b.draft.key?.name];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}
