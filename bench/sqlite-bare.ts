import { DatabaseSync } from "node:sqlite";
import { body, outcome } from "./work.ts";

/** What the store does, as a bare loop: the same tables and durability, on the main thread. */
export interface Bare {
  /** Claims 500 and settles them, until none is due. Answers how many. */
  drain(queue: string): number;
  /** Writes so many records in one commit. */
  append(count: number): void;
  close(): void;
}

export function bareLedger(path: string): Bare {
  const database = new DatabaseSync(path);
  database.exec(`
    pragma synchronous = full;
    pragma cache_size = -65536;
    pragma wal_autocheckpoint = 4000;`);
  const begin = database.prepare("begin immediate");
  const commit = database.prepare("commit");
  const { claim, settle } = bareWork(database);
  const append = bareAppend(database);
  return {
    drain(queue) {
      let done = 0;
      for (let more = true; more;) {
        begin.run();
        const found = claim(queue, 500);
        commit.run();
        begin.run();
        for (const row of found) settle(row);
        commit.run();
        done += found.length;
        more = found.length > 0;
      }
      return done;
    },
    append(count) {
      begin.run();
      for (let n = 0; n < count; n += 1) append();
      commit.run();
    },
    close: () => database.close(),
  };
}

type Found = readonly [
  id: number,
  uid: string,
  owner: string,
  revision: number,
  attempt: number,
  fence: number,
];

function bareWork(database: DatabaseSync): {
  claim(queue: string, limit: number): readonly Found[];
  settle(row: Found): void;
} {
  const columns = "r.id, r.uid, r.owner, r.revision, d.attempt, d.fence";
  const due = database.prepare(`
    select ${columns}, r.body from due d join record r on r.id = d.id
    where d.queue = ? and d.priority = ? and d.wake_at <= ? order by d.wake_at, d.id limit ?`);
  const lease = database.prepare(`
    update due set holder = 'h', claimed_at = ?, wake_at = ?, woken_at = null, attempt = attempt + 1,
      fence = fence + 1 where id = ?`);
  const find = database.prepare(`
    select ${columns} from record r join due d on d.id = r.id where r.uid = ?`);
  const update = database.prepare(`
    update record set state = 'delivered', revision = revision + 1, attempt = ?, fence = ?, updated_at = ?,
      ended_at = ?, outcome = ? where id = ?`);
  const remove = database.prepare("delete from due where id = ? and fence = ?");
  const free = database.prepare("delete from hold where id = ?");
  const note = database.prepare(`
    insert into history (id, owner, what, state, revision, attempt, at, by, claimed_at, note)
    values (?, ?, 'settled', 'delivered', ?, ?, ?, 'h', ?, null)`);
  due.setReturnArrays(true); // the fastest that node:sqlite has
  find.setReturnArrays(true);
  return {
    claim(queue, limit) {
      const now = Date.now();
      const found: Found[] = [];
      for (const priority of [0, 1, 2]) {
        const rows: unknown = due.all(queue, priority, now, limit - found.length);
        for (const row of rows as Found[]) {
          lease.run(now, now + 60_000, row[0]);
          found.push(row);
        }
      }
      return found;
    },
    settle([, uid]) {
      const now = Date.now();
      const row: unknown = find.get(uid);
      const [id, , owner, revision, attempt, fence] = row as Found;
      update.run(attempt, fence, now, now, JSON.stringify(outcome), id);
      remove.run(id, fence);
      free.run(id);
      note.run(id, owner, revision + 1, attempt, now, now);
    },
  };
}

function bareAppend(database: DatabaseSync): () => void {
  const record = database.prepare(`
    insert into record (uid, kind, owner, by, state, priority, queue, revision, attempt, lapses, fence,
      cancelling, created_at, updated_at, body)
    values (?, 'notification', ?, 'cli', 'pending', 1, 'notification', 1, 0, 0, 0, 0, ?, ?, ?) returning id`);
  const due = database.prepare(`
    insert into due (id, queue, priority, wake_at, ready_at, attempt, lapses, fence)
    values (?, 'notification', 1, ?, ?, 0, 0, 0)`);
  const note = database.prepare(`
    insert into history (id, owner, what, state, revision, attempt, at, by)
    values (?, ?, 'appended', 'pending', 1, 0, ?, 'cli')`);
  let count = 0;
  return () => {
    const now = Date.now();
    count += 1;
    const owner = `owner-${count % 1000}`;
    const uid = `${now.toString(16).padStart(16, "0")}-${String(count).padStart(19, "0")}`;
    const id = Number(record.get(uid, owner, now, now, JSON.stringify(body))?.["id"]);
    due.run(id, now + 86_400_000, now + 86_400_000);
    note.run(id, owner, now);
  };
}
