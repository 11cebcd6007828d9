import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { openDatabase } from "../src/stores/sqlite/database.ts";

/** What a controller has at work at once, and so what a commit has. */
const batch = 64;

/** One event after another through the same tables in the same commits, and nothing decided. */
export interface BarePipeline {
  /** So many from their append to the end of what is said of them. */
  run(count: number): void;
  close(): void;
}

export function barePipeline(path: string): BarePipeline {
  openDatabase(path).close(); // makes its tables
  const database = new DatabaseSync(path);
  database.exec(`
    pragma synchronous = full;
    pragma cache_size = -65536;
    pragma wal_autocheckpoint = 4000;`);
  const [begin, commit] = [database.prepare("begin immediate"), database.prepare("commit")];
  const inOne = (run: () => void): void => {
    begin.run();
    run();
    commit.run();
  };
  const rows = bareRows(database);
  let made = 0;
  return {
    run(count) {
      for (let left = count; left > 0; left -= batch) {
        const names = Array.from({ length: Math.min(left, batch) }, () => String((made += 1)));
        inOne(() => names.forEach((n) => rows.insert("event", `evt-${n}`, null)));
        inOne(() => rows.claim("event"));
        inOne(() => names.forEach((n) => dispatch(rows, n)));
        inOne(() => rows.claim("task@noop"));
        inOne(() => names.forEach((n) => end(rows, n)));
        for (let more = 2; more > 0; more -= 1) {
          const found: string[] = [];
          inOne(() => found.push(...rows.claim("notification")));
          inOne(() => found.forEach((uid) => rows.settle(uid, "delivered")));
        }
      }
    },
    close: () => database.close(),
  };
}

function dispatch(rows: Rows, n: string): void {
  rows.settle(`evt-${n}`, null);
  rows.insert("task", `task-${n}`, `evt-${n}`);
  rows.insert("notification", `msg-a-${n}`, `task-${n}`);
}

function end(rows: Rows, n: string): void {
  rows.find(`evt-${n}`);
  rows.settle(`task-${n}`, "completed");
  rows.insert("notification", `msg-b-${n}`, `task-${n}`);
  rows.settle(`evt-${n}`, "completed");
}

type Kind = "event" | "task" | "notification";

interface Rows {
  insert(kind: Kind, uid: string, parent: string | null): void;
  /** Leases a batch of a queue. Answers their names. */
  claim(queue: string): readonly string[];
  find(uid: string): Found;
  /** Ends it; null: it goes on. */
  settle(uid: string, ends: string | null): void;
}

type Found = readonly [id: number, uid: string, owner: string, revision: number, attempt: number];

function bareRows(database: DatabaseSync): Rows {
  const all = bareReads(database);
  const write = bareWrites(database);
  return {
    insert(kind, uid, parent) {
      const now = Date.now();
      const queue = kind === "task" ? "task@noop" : kind;
      if (kind !== "notification") all.key.get(kind, "ann", uid);
      all.find.get(uid);
      const place = [queue, kind === "notification" ? `slack:C${uid.slice(-2)}` : null] as const;
      const row = write.record.get(uid, kind, parent, ...place, now, now, bodies[kind]);
      const id = Number(row?.["id"]);
      write.due.run(id, ...place, now, now);
      if (kind !== "notification") write.key.run(kind, "ann", uid, uid, "0".repeat(64), now);
      write.note.run(id, "appended", "pending", 1, 0, now, null);
    },
    claim(queue) {
      const now = Date.now();
      const found: unknown = all.due.all(queue, 1, now, batch);
      for (const [id] of found as Found[]) write.lease.run(now, now + 15_000, id);
      return (found as Found[]).map(([, uid]) => uid);
    },
    find(uid) {
      const found: unknown = all.find.get(uid);
      return found as Found;
    },
    settle(uid, ends) {
      const now = Date.now();
      const found: unknown = all.find.get(uid);
      const [id, , , revision, attempt] = found as Found;
      const isOver = ends === null ? null : now;
      write.update.run(ends ?? "dispatched", attempt, now, isOver, outcome, id);
      if (ends === null) write.later.run(now + 600_000, id);
      else {
        write.remove.run(id);
        write.free.run(id);
      }
      write.note.run(id, "settled", ends ?? "dispatched", revision + 1, attempt, now, now);
    },
  };
}

function bareReads(database: DatabaseSync) {
  const columns = "r.id, r.uid, r.owner, r.revision, coalesce(d.attempt, 0), r.body, r.outcome";
  const reads = {
    find: `select ${columns} from record r left join due d on d.id = r.id where r.uid = ?`,
    due: `select ${columns} from due d join record r on r.id = d.id
      where d.queue = ? and d.priority = ? and d.wake_at <= ? order by d.wake_at, d.id limit ? + 0`,
    key: `select k.uid from key k left join record r on r.uid = k.uid
      where k.kind = ? and k.owner = ? and k.name = ?`,
  };
  return prepared(database, reads, true);
}

function bareWrites(database: DatabaseSync) {
  return prepared(
    database,
    {
      record: `insert into record (uid, kind, owner, by, parent, state, priority, queue, lane, revision,
          attempt, lapses, fence, cancelling, created_at, updated_at, body)
        values (?, ?, 'ann', 'bench', ?, 'pending', 1, ?, ?, 1, 0, 0, 0, 0, ?, ?, ?) returning id`,
      due: `insert into due (id, queue, priority, lane, wake_at, ready_at, attempt, lapses, fence)
        values (?, ?, 1, ?, ?, ?, 0, 0, 0)`,
      key: `insert into key (kind, owner, name, uid, hash, until) values (?, ?, ?, ?, ?, ?)`,
      lease: `update due set holder = 'h', claimed_at = ?, wake_at = ?, woken_at = null,
        attempt = attempt + 1, fence = fence + 1 where id = ?`,
      update: `update record set state = ?, revision = revision + 1, attempt = ?, updated_at = ?,
        ended_at = ?, outcome = ? where id = ?`,
      later: `update due set holder = null, claimed_at = null, wake_at = ? where id = ?`,
      remove: `delete from due where id = ?`,
      free: `delete from hold where id = ?`,
      note: `insert into history (id, owner, what, state, revision, attempt, at, by, claimed_at)
        values (?, 'ann', ?, ?, ?, ?, ?, 'h', ?)`,
    },
    false,
  );
}

function prepared<Name extends string>(
  database: DatabaseSync,
  texts: Readonly<Record<Name, string>>,
  asArrays: boolean,
) {
  const made = Object.entries<string>(texts).map(([name, text]) => {
    const statement = database.prepare(text);
    statement.setReturnArrays(asArrays);
    return [name, statement] as const;
  });
  return Object.fromEntries(made) as Record<Name, ReturnType<DatabaseSync["prepare"]>>;
}

/** As many bytes as the real ones have. */
const bodies: Readonly<Record<Kind, SQLInputValue>> = {
  event: JSON.stringify({ text: "x".repeat(210) }),
  task: JSON.stringify({ text: "x".repeat(570) }),
  notification: JSON.stringify({ text: "x".repeat(260) }),
};
const outcome = JSON.stringify({ text: "x".repeat(150) });
