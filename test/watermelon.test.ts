import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture } from "./book-fixture.ts";
import { pull, push } from "./sync-client.ts";

/** The used part of the real client, which has no types for a Node without React. */
interface Row {
  _raw: Record<string, unknown>;
  _setRaw: (this: Row, name: string, value: unknown) => void;
  update(change: (row: Row) => void): Promise<void>;
  markAsDeleted(): Promise<void>;
}
/** Without decorators, fields need explicit names. */
function set(row: Row, name: string, value: unknown): void {
  const { _setRaw: write } = row;
  write.call(row, name, value);
}
interface Client {
  write(act: () => Promise<unknown>): Promise<unknown>;
  get(table: string): {
    create(fill: (row: Row) => void): Promise<Row>;
    query(): { fetch(): Promise<Row[]> };
  };
  adapter: { setLocal(key: string, value: string): Promise<void> };
}
interface Watermelon {
  open(name: string): Client;
  synchronize(options: object): Promise<void>;
  /** The warnings since the last check. */
  complaints(): string[];
}

const column = (name: string, type: string): object => ({ name, type, isOptional: true });
const tables = {
  page: [column("title", "string"), column("body", "string")],
  alarm: [
    column("page_id", "string"),
    column("next_alarm_time", "number"),
    column("sent_count", "number"),
    column("last_notification_id", "string"),
  ],
};

function load(): Watermelon {
  const require = createRequire(import.meta.url);
  const base = require("@nozbe/watermelondb");
  const { default: Adapter } = require("@nozbe/watermelondb/adapters/lokijs");
  const { default: logger } = require("@nozbe/watermelondb/utils/common/logger");
  const { synchronize } = require("@nozbe/watermelondb/sync");
  const own = createRequire(require.resolve("@nozbe/watermelondb"));
  const { LokiMemoryAdapter } = own("lokijs"); // its own dependency
  const said: string[] = [];
  logger.silence();
  logger.error = (...words: unknown[]) => void said.push(words.join(" "));
  const schema = base.appSchema({
    version: 1,
    tables: Object.entries(tables).map(([name, columns]) => base.tableSchema({ name, columns })),
  });
  const modelClasses = Object.keys(tables).map(
    (table) =>
      class extends base.Model {
        static table = table;
      },
  );
  return {
    synchronize,
    complaints: () => said.splice(0),
    open(dbName) {
      const memory = new LokiMemoryAdapter();
      const adapter = new Adapter({
        schema,
        dbName,
        useWebWorker: false,
        useIncrementalIndexedDB: false,
        _testLokiAdapter: memory,
        extraLokiOptions: { autosave: false },
      });
      return new base.Database({ adapter, modelClasses });
    },
  };
}

const watermelon = load();

interface Device {
  readonly client: Client;
  sync(): Promise<void>;
  add(table: string, id: string, fields: object): Promise<unknown>;
  change(table: string, act: (row: Row) => Promise<void>): Promise<unknown>;
  ids(table: string): Promise<string[]>;
  first(table: string): Promise<Record<string, unknown>>;
}

function device({ mina }: BookFixture, name: string): Device {
  const { open, synchronize } = watermelon;
  const client = open(name);
  const as = { ...mina, by: name };
  const overWire = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
  const all = async (table: string): Promise<Row[]> => client.get(table).query().fetch();
  return {
    client,
    sync: () =>
      synchronize({
        database: client,
        pullChanges: async ({ lastPulledAt }: { lastPulledAt: number | null }) =>
          overWire(await pull(as, lastPulledAt ?? "null")),
        pushChanges: async (pushed: { changes: object; lastPulledAt: number }) => {
          await push(as, overWire(pushed.changes), pushed.lastPulledAt);
        },
      }),
    add: (table, id, fields) =>
      client.write(() =>
        client.get(table).create((row) => {
          const { _raw: raw } = row;
          raw["id"] = id;
          for (const [key, value] of Object.entries(fields)) set(row, key, value);
        }),
      ),
    change: (table, act) =>
      client.write(async () => act((await all(table))[0] ?? assert.fail(`no ${table}`))),
    ids: async (table) => (await all(table)).map(({ _raw: raw }) => String(raw["id"])),
    async first(table) {
      const [row = assert.fail(`no ${table}`)] = await all(table);
      const { _raw: raw } = row;
      return raw;
    },
  };
}

describe("the real WatermelonDB", () => {
  const begin = async (): Promise<{ at: BookFixture; phone: Device; laptop: Device }> => {
    const at = bookFixture();
    const [phone, laptop] = [device(at, "phone"), device(at, "laptop")];
    await phone.add("page", "p1", { title: "Trip", body: "Book it" });
    await phone.add("alarm", "a1", { page_id: "p1", next_alarm_time: 0, sent_count: 0 });
    for (const each of [phone, laptop, phone]) await each.sync();
    return { at, phone, laptop };
  };
  const noComplaints = (): void => assert.deepEqual(watermelon.complaints(), []);

  test("syncs a record created on one device to another, with the server's count", async () => {
    const { at, phone, laptop } = await begin();
    for (const each of [phone, laptop]) {
      const alarm = await each.first("alarm");
      assert.deepEqual([alarm["sent_count"], alarm["next_alarm_time"]], [1, at.clock.wall()]);
    }
    assert.equal((await laptop.first("page"))["title"], "Trip");
    noComplaints();
  });
  test("converges after a change on one device and a deletion on the other", async () => {
    const { phone, laptop } = await begin();
    await laptop.change("page", (row) => row.update((each) => set(each, "title", "Busan")));
    await phone.change("alarm", (row) => row.markAsDeleted());
    for (const each of [laptop, phone, laptop]) await each.sync();
    for (const each of [phone, laptop]) {
      assert.equal((await each.first("page"))["title"], "Busan");
      assert.deepEqual(await each.ids("alarm"), []);
    }
    noComplaints();
  });
  test("deletes a record it has just created, although it receives its own change", async () => {
    const { phone, laptop } = await begin();
    await phone.change("alarm", (row) => row.markAsDeleted());
    await phone.sync();
    await phone.add("alarm", "a2", { page_id: "p1" });
    await phone.sync();
    await phone.change("alarm", (row) => row.markAsDeleted());
    for (const each of [phone, laptop, phone]) await each.sync();
    assert.deepEqual([await phone.ids("alarm"), await laptop.ids("alarm")], [[], []]);
    noComplaints();
  });
  test("merges the same page created on two devices", async () => {
    const { phone, laptop } = await begin();
    await phone.change("alarm", (row) => row.markAsDeleted());
    for (const each of [phone, laptop]) await each.sync();
    await phone.add("alarm", "a3", { page_id: "p1" });
    await laptop.add("alarm", "a4", { page_id: "p1" });
    for (const each of [phone, laptop, laptop, phone]) await each.sync();
    assert.deepEqual([await phone.ids("alarm"), await laptop.ids("alarm")], [["a3"], ["a3"]]);
    noComplaints();
  });
  test("deletes a page and its messages on every device", async () => {
    const { phone, laptop } = await begin();
    await phone.change("page", (row) => row.markAsDeleted());
    for (const each of [phone, laptop, phone]) await each.sync();
    for (const each of [phone, laptop]) {
      assert.deepEqual([await each.ids("page"), await each.ids("alarm")], [[], []]);
    }
  });
  test("gets all records again after a long absence, and keeps its own changes", async () => {
    const { phone, laptop } = await begin();
    await phone.change("page", (row) => row.markAsDeleted());
    await phone.add("page", "p2", { title: "Other" });
    await phone.sync();
    await laptop.add("page", "p3", { title: "Offline" });
    await laptop.client.adapter.setLocal("__watermelon_last_pulled_at", "1700000000000");
    for (const each of [laptop, phone]) await each.sync();
    for (const each of [laptop, phone]) {
      assert.deepEqual((await each.ids("page")).toSorted(), ["p2", "p3"]);
    }
  });
});
