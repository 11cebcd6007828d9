import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eventKind } from "../../features/events/kind.ts";
import { fileActions } from "../../kernel/files.ts";
import { is } from "../../kernel/kind.ts";
import { DaybookError } from "../../platform/errors.ts";
import { testPrograms } from "../../testing/external-programs.ts";
import {
  dropFile,
  event,
  events,
  inSharedFolder,
  until,
  withSharedFolder,
} from "../../testing/shared-folder.ts";
import { externalBytesMax } from "./external-file.ts";
import { quarantineReasons } from "./quarantine.ts";

test("a dropped file becomes a record, and stays as the record's file", () =>
  inSharedFolder(async ({ ledger, programs, drop, folder, read }) => {
    drop(`${events}/evt-1.json`, { id: "evt-1", ...event });
    await programs.until("dropped");
    const record = await ledger.of("me", "test").get("evt-1");
    assert.equal(record?.kind, "event");
    assert.equal(record.state, "pending");
    await ledger.close();
    assert.deepEqual(readdirSync(join(folder, events)), ["evt-1.json"]);
    const { type, source, payload, priority, status, daybook } = read(`${events}/evt-1.json`);
    assert.deepEqual({ type, source, payload }, event);
    assert.deepEqual([priority, status], ["normal", "pending"]);
    assert.equal((daybook as { id: string }).id, "evt-1");
  }));

test("a dropped file may have any name, and the id is in the name of its file as it is", () =>
  inSharedFolder(async ({ ledger, programs, drop, folder }) => {
    const id = "evt-github-1-2026-02-07T10:00:00Z";
    drop(`${events}/whatever.json`, { id, ...event });
    drop(`${events}/evt-named.json`, event);
    await programs.until("dropped", 2);
    const { records } = await ledger.of("me", "test").list({ kind: eventKind });
    assert.deepEqual(records.map((each) => each.id).toSorted(), [id, "evt-named"]);
    await ledger.close();
    const names = readdirSync(join(folder, events)).toSorted();
    assert.deepEqual(names, [`${id}.json`, "evt-named.json"]);
  }));

const bad: [what: string, name: string, content: unknown, reason: RegExp][] = [
  ["not JSON", "a.json", "{ no", /a\.json: It is not JSON\.$/],
  ["not UTF-8", "a.json", Buffer.from([0x22, 0xff, 0x22]), /a\.json: It is not in UTF-8\.$/],
  ["not an object", "a.json", "[]", /not a JSON object/],
  ["too large", "a.json", `"${"x".repeat(externalBytesMax)}"`, /is larger than 262144 bytes/],
  ["a hostile id", "a.json", { ...event, id: "../../../etc/cron.d/x" }, /begin with a letter/],
  ["an id that is not a string", "a.json", { ...event, id: 7 }, /: "id" must be a string\.$/],
  ["an unknown field", "a.json", { ...event, id: "a", colour: 1 }, /: it may not have "colour"\.$/],
  ["no type", "a.json", { id: "a", source: "x" }, /: "type" is missing\.$/],
  ["a wrong time", "a.json", { ...event, created_at: "now" }, /: "created_at" is not valid: write/],
  ["another state", "a.json", { ...event, id: "a", status: "completed" }, /"status" is completed/],
  ["refused by a rule", "a.json", { ...event, id: "a", type: "refuse.me" }, /not this type/],
];
for (const [what, name, content, reason] of bad) {
  test(`an invalid dropped file goes to quarantine with a reason: ${what}`, () =>
    inSharedFolder(
      async ({ ledger, folder, quarantined, drop, programs }) => {
        drop(`${events}/good.json`, event); // the queue moves on
        await programs.until("dropped");
        assert.match(quarantined().join(), reason);
        assert.deepEqual((await ledger.work.stats()).records, 1);
        assert.ok(!existsSync(join(folder, events, name)));
      },
      {
        before(folder) {
          dropFile(folder, `${events}/${name}`, content);
          utimesSync(join(folder, events, name), 1, 1);
        },
      },
    ));
}

test("links, folders and files outside drop folders go to quarantine unread", () =>
  inSharedFolder(
    async ({ quarantined, ledger }) => {
      const reasons = quarantined()
        .toSorted()
        .map((each) => each.replace(/^queue\//, "").split("\n")[0]);
      assert.deepEqual(reasons, [
        "events/completed/evt-1.json: It does not belong to a record of this ledger.",
        "events/evt-2.json: Only pending/ accepts files: write it there under a temporary name, then rename it.",
        "events/pending/folder.json: It is not a regular file.",
        "events/pending/link.json: It is not a regular file.",
        'tasks/pending/evt-3.json: "target_general" is missing; it may not have "source".',
      ]);
      assert.equal((await ledger.work.stats()).records, 0);
    },
    {
      before(folder) {
        symlinkSync("/etc/passwd", join(folder, events, "link.json"));
        mkdirSync(join(folder, events, "folder.json"));
        dropFile(folder, "queue/events/completed/evt-1.json", { ...event, id: "evt-1" });
        dropFile(folder, "queue/events/evt-2.json", { ...event, id: "evt-2" });
        dropFile(folder, "queue/tasks/pending/evt-3.json", { ...event, id: "evt-3" });
      },
    },
  ));

test("a file in an unknown folder goes to quarantine while the ledger is open", () =>
  inSharedFolder(async ({ folder, drop, quarantined }) => {
    for (const made of ["events/failed", "mine/pending"]) {
      mkdirSync(join(folder, "queue", made), { recursive: true });
      drop(`queue/${made}/evt-1.json`, { ...event, id: "evt-1" });
    }
    await until(() => quarantined().length === 2);
    assert.deepEqual(quarantined().toSorted(), [
      `queue/events/failed/evt-1.json: ${quarantineReasons.folder}`,
      `queue/mine/pending/evt-1.json: ${quarantineReasons.folder}`,
    ]);
  }));

test("a dropped file never overwrites a record of the same id", () =>
  inSharedFolder(async ({ ledger, programs, drop, quarantined, folder }) => {
    drop(`${events}/evt-1.json`, { id: "evt-1", ...event });
    await programs.until("dropped");
    drop(`${events}/again.json`, { id: "evt-1", ...event, created_at: "2026-01-01T00:00:00Z" });
    drop(`${events}/other.json`, { id: "evt-1", ...event, payload: { n: 2 } });
    drop(`${events}/last.json`, event);
    await programs.until("dropped", 2);
    const record = await ledger.of("me", "test").get("evt-1");
    assert.deepEqual(is(eventKind, record) && record.body.payload, { n: 1 });
    await ledger.close();
    const [again, other] = quarantined().toSorted();
    assert.match(`${again}`, /^queue\/events\/pending\/again\.json: It was dropped before: evt-1/);
    assert.match(`${other}`, /^queue\/events\/pending\/other\.json: evt-1 exists with other/);
    assert.deepEqual(readdirSync(join(folder, events)).toSorted(), ["evt-1.json", "last.json"]);
  }));

test("the same id dropped again leaves a trace, also in the place of the record's own file", () =>
  inSharedFolder(async ({ ledger, programs, drop, quarantined, folder, read }) => {
    const path = `${events}/evt-1.json`;
    drop(path, event);
    await programs.until("dropped");
    await until(() => "daybook" in read(path));
    drop(path, { ...event, payload: { n: 2 } });
    await until(() => quarantined().length === 1);
    await until(() => existsSync(join(folder, path)));
    assert.match(quarantined().join(), /evt-1 exists with other content/);
    assert.deepEqual(read(path)["payload"], { n: 1 });
    assert.equal((await ledger.work.stats()).records, 1);
  }));

test("a dropped file with deeply nested JSON goes to quarantine, with 32 levels as over HTTP", () =>
  inSharedFolder(async ({ ledger, programs, drop, quarantined }) => {
    const nested = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
    const text = (levels: number): string =>
      `{"type": "a.b", "source": "s", "payload": {"n": ${nested(levels - 2)}}}`;
    drop(`${events}/deep.json`, text(6_000));
    drop(`${events}/deeper.json`, text(33));
    drop(`${events}/good.json`, text(32));
    await programs.until("dropped");
    await until(() => quarantined().length === 2);
    for (const each of quarantined()) assert.match(each, /nested too deeply: 32 levels at most/);
    assert.equal((await ledger.work.stats()).records, 1);
  }));

test("any file that makes intake throw goes to quarantine with its reason", async () => {
  const failures: unknown[] = [];
  const { external } = testPrograms({ leaseMs: 1 });
  const drop = (): never => {
    throw new RangeError("Maximum call stack size exceeded");
  };
  const actions = new Map([fileActions(eventKind, { drop })]);
  const failed = (error: unknown): void => void failures.push(error);
  await inSharedFolder(
    async ({ drop: write, quarantined }) => {
      write(`${events}/evt-1.json`, event);
      await until(() => quarantined().length === 1);
      assert.match(quarantined().join(), /evt-1\.json: It cannot be read: Maximum call stack size/);
    },
    { external: () => ({ ...external, actions, failed }) },
  );
  assert.deepEqual(failures, []);
});

test("repeated faults of one file are logged once", async () => {
  const failures: unknown[] = [];
  const { external } = testPrograms({ leaseMs: 1 });
  let tries = 0;
  const drop = (): never => {
    tries += 1;
    throw new DaybookError("unavailable", "The settings cannot be read.");
  };
  const actions = new Map([fileActions(eventKind, { drop })]);
  const failed = (error: unknown): void => void failures.push(error);
  await inSharedFolder(
    async ({ drop: write, quarantined, folder }) => {
      write(`${events}/evt-1.json`, event);
      await until(() => tries > 3);
      assert.deepEqual(quarantined(), []);
      rmSync(join(folder, events, "evt-1.json"));
    },
    { external: () => ({ ...external, actions, failed }) },
  );
  assert.equal(failures.length, 1);
});

test("a partial file is read again when it is complete", () =>
  inSharedFolder(
    async ({ programs, folder, quarantined }) => {
      writeFileSync(join(folder, events, "slow.json"), '{"type":"a.b","source":"s"}');
      await programs.until("dropped");
      assert.deepEqual(quarantined(), []);
      rmSync(join(folder, events, ".tmp-other.json"));
    },
    {
      before(folder) {
        writeFileSync(join(folder, events, "slow.json"), '{"type":"a.b",');
        writeFileSync(join(folder, events, ".tmp-other.json"), '{"type"');
      },
    },
  ));

test("a dropped file stays until the store can write again", () => {
  let isFull = true;
  const onStep = (step: string): void => {
    if (isFull && step === "started") throw new DaybookError("unavailable", "The disk is broken.");
  };
  return inSharedFolder(
    async ({ folder, quarantined, ledger }) => {
      assert.ok(existsSync(join(folder, events, "evt-1.json")));
      assert.deepEqual(quarantined(), []);
      await ledger.close();
      isFull = false;
      await withSharedFolder(folder, async ({ ledger: again }) => {
        assert.equal((await again.of("me", "test").get("evt-1"))?.state, "pending");
      });
    },
    { onStep, before: (folder) => dropFile(folder, `${events}/evt-1.json`, event) },
  );
});
