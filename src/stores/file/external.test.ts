import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { eventKind } from "../../features/events/kind.ts";
import { fileLayouts as layouts } from "../../features/index.ts";
import { taskKind } from "../../features/tasks/kind.ts";
import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { testPrograms, taskDraft, type TestPrograms } from "../../testing/external-programs.ts";
import { assertShown } from "../../testing/ledger-folder.ts";
import { externalBytesMax } from "./external-file.ts";
import { file, type FileOptions } from "./file.ts";
import { quarantineReasons } from "./quarantine.ts";

const events = "queue/events/pending";
const event = { type: "github.pr.review_requested", source: "github", payload: { n: 1 } };

interface Room {
  readonly folder: string;
  readonly ledger: Ledger;
  readonly heard: TestPrograms;
  /** Drops a file as other programs do. */
  drop(place: string, content: unknown): void;
  read(place: string): Record<string, unknown>;
  quarantined(): readonly string[];
}

async function inRoom(
  run: (room: Room) => Promise<void>,
  more: Partial<FileOptions> & { leaseMs?: number; before?: (folder: string) => void } = {},
): Promise<void> {
  const parent = mkdtempSync(join(tmpdir(), "daybook-"));
  const folder = join(parent, "book");
  try {
    if (more.before !== undefined) {
      await (await file({ folder, layouts })).close();
      more.before(folder);
    }
    await withRoom(folder, run, more);
    assertShown(folder);
  } finally {
    rmSync(parent, { recursive: true });
  }
}

async function withRoom(
  folder: string,
  run: (room: Room) => Promise<void>,
  { leaseMs = 60_000, before: _before, ...more }: Parameters<typeof inRoom>[1] & object = {},
): Promise<void> {
  const heard = testPrograms({ leaseMs });
  const { external, onStep } = heard;
  const ledger = await file({
    folder,
    layouts,
    scanMs: 50,
    external: () => external,
    onStep,
    ...more,
  });
  try {
    await run({ folder, ledger, heard, ...handsIn(folder) });
  } finally {
    await ledger.close();
  }
}

function handsIn(folder: string): Pick<Room, "drop" | "read" | "quarantined"> {
  return {
    drop: (place, content) => dropIn(folder, place, content),
    read: (place) => JSON.parse(readFileSync(join(folder, place), "utf8")),
    quarantined() {
      const drawer = join(folder, "quarantine");
      const names = existsSync(drawer) ? readdirSync(drawer) : [];
      const reasons = names.filter((name) => name.endsWith(".reason"));
      return reasons.map((name) => readFileSync(join(drawer, name), "utf8").trim());
    },
  };
}

function dropIn(folder: string, place: string, content: unknown): void {
  const [parent, name] = [join(folder, place, ".."), place.split("/").at(-1)];
  const isText = typeof content === "string" || Buffer.isBuffer(content);
  const text = isText ? content : JSON.stringify(content);
  writeFileSync(join(parent, `.tmp-${name}`), text);
  renameSync(join(parent, `.tmp-${name}`), join(folder, place));
}

test("a dropped file is a record, and from then on its file is ours", () =>
  inRoom(async ({ ledger, heard, drop, folder, read }) => {
    drop(`${events}/evt-1.json`, { id: "evt-1", ...event });
    await heard.until("dropped");
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

test("a file may have any name; an id that is no name of a file is called by what is safe in it", () =>
  inRoom(async ({ ledger, heard, drop, folder }) => {
    const id = "evt-github-1-2026-02-07T10:00:00Z";
    drop(`${events}/whatever.json`, { id, ...event });
    drop(`${events}/evt-named.json`, event);
    await heard.until("dropped", 2);
    const { records } = await ledger.of("me", "test").list({ kind: eventKind });
    assert.deepEqual(records.map((each) => each.id).toSorted(), [id, "evt-named"]);
    await ledger.close();
    const names = readdirSync(join(folder, events)).toSorted();
    assert.match(names.join(), /^evt-github-1-2026-02-07t10-00-00z~\w{24}\.json,evt-named\.json$/);
  }));

const bad: [what: string, name: string, content: unknown, reason: RegExp][] = [
  ["not JSON", "a.json", "{ no", /a\.json: It is not JSON\.$/],
  ["not UTF-8", "a.json", Buffer.from([0x22, 0xff, 0x22]), /a\.json: It is not in UTF-8\.$/],
  ["no object", "a.json", "[]", /no JSON object/],
  ["too large", "a.json", `"${"x".repeat(externalBytesMax)}"`, /is over 262144 bytes/],
  ["a hostile id", "a.json", { ...event, id: "../../../etc/cron.d/x" }, /begin with a letter/],
  ["an id that is no text", "a.json", { ...event, id: 7 }, /: "id" must be a string\.$/],
  [
    "a field that nobody knows",
    "a.json",
    { ...event, id: "a", colour: 1 },
    /: it may not have "colour"\.$/,
  ],
  ["no type", "a.json", { id: "a", source: "x" }, /: "type" is missing\.$/],
  ["a wrong time", "a.json", { ...event, created_at: "now" }, /: "created_at" is not right: write/],
  ["another state", "a.json", { ...event, id: "a", status: "completed" }, /status is completed/],
  ["refused by a rule", "a.json", { ...event, id: "a", type: "refuse.me" }, /not this type/],
];
for (const [what, name, content, reason] of bad) {
  test(`a dropped file is put aside with its reason: ${what}`, () =>
    inRoom(
      async ({ ledger, folder, quarantined, drop, heard }) => {
        drop(`${events}/good.json`, event); // the queue moves on
        await heard.until("dropped");
        assert.match(quarantined().join(), reason);
        assert.deepEqual((await ledger.work.stats()).records, 1);
        assert.ok(!existsSync(join(folder, events, name)));
      },
      {
        before(folder) {
          dropIn(folder, `${events}/${name}`, content);
          utimesSync(join(folder, events, name), 1, 1);
        },
      },
    ));
}

test("links and folders are put aside unread, and a file in another folder too", () =>
  inRoom(
    async ({ quarantined, ledger }) => {
      const reasons = quarantined()
        .toSorted()
        .map((each) => each.replace(/^queue\//, "").split("\n")[0]);
      assert.deepEqual(reasons, [
        "events/completed/evt-1.json: It shows no record of this ledger.",
        "events/evt-2.json: Only pending/ takes files: write it there under another name, and rename it.",
        "events/pending/folder.json: It is no regular file.",
        "events/pending/link.json: It is no regular file.",
        'tasks/pending/evt-3.json: "target_general" is missing; it may not have "source".',
      ]);
      assert.equal((await ledger.work.stats()).records, 0);
    },
    {
      before(folder) {
        symlinkSync("/etc/passwd", join(folder, events, "link.json"));
        mkdirSync(join(folder, events, "folder.json"));
        dropIn(folder, "queue/events/completed/evt-1.json", { ...event, id: "evt-1" });
        dropIn(folder, "queue/events/evt-2.json", { ...event, id: "evt-2" });
        dropIn(folder, "queue/tasks/pending/evt-3.json", { ...event, id: "evt-3" });
      },
    },
  ));

test("a file in a folder that somebody made is put aside while the ledger is open", () =>
  inRoom(async ({ folder, drop, quarantined }) => {
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

test("an id that is there is never written over: the same again is nothing new, another body is put aside", () =>
  inRoom(async ({ ledger, heard, drop, quarantined, folder }) => {
    drop(`${events}/evt-1.json`, { id: "evt-1", ...event });
    await heard.until("dropped");
    drop(`${events}/again.json`, { id: "evt-1", ...event, created_at: "2026-01-01T00:00:00Z" });
    drop(`${events}/other.json`, { id: "evt-1", ...event, payload: { n: 2 } });
    drop(`${events}/last.json`, event);
    await heard.until("dropped", 2);
    const record = await ledger.of("me", "test").get("evt-1");
    assert.deepEqual(is(eventKind, record) && record.body.payload, { n: 1 });
    await ledger.close();
    assert.match(quarantined().join(), /^queue\/events\/pending\/other\.json: evt-1 is there/);
    assert.deepEqual(readdirSync(join(folder, events)).toSorted(), ["evt-1.json", "last.json"]);
  }));

test("what is half-written is looked at again", () =>
  inRoom(
    async ({ heard, folder, quarantined }) => {
      writeFileSync(join(folder, events, "slow.json"), '{"type":"a.b","source":"s"}');
      await heard.until("dropped");
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

async function pendingTask({ ledger, folder }: Room, id: string): Promise<string> {
  await ledger.of("me", "test").append(taskDraft(id));
  const place = `queue/tasks/pending/${id}.json`;
  while (!existsSync(join(folder, place))) await new Promise((resolve) => setImmediate(resolve));
  return place;
}

/** Looks until it is so: what is waited for is seen in files alone. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const moveTo = (folder: string, from: string, to: string): void =>
  renameSync(join(folder, from), join(folder, to));

test("a worker that moves a task has it, and its result is the task's end", () =>
  inRoom(async (room) => {
    const { ledger, folder, heard, drop, read } = room;
    const place = await pendingTask(room, "task-20260207-001");
    moveTo(folder, place, place.replace("pending", "in_progress"));
    await heard.until("taken");
    const taken = await ledger.of("me", "test").get("task-20260207-001");
    assert.equal(taken?.lease?.holder, "file:gen-pr");
    drop("state/results/task-20260207-001.json", {
      task_id: "another", // its own word for it does not count
      status: "success",
      summary: "reviewed",
    });
    await heard.until("reported");
    const ended = await ledger.of("me", "test").get("task-20260207-001");
    assert.equal(ended?.state, "completed");
    await ledger.close();
    assert.deepEqual(readdirSync(join(folder, "queue/tasks/completed")), [
      "task-20260207-001.json",
    ]);
    assert.deepEqual(readdirSync(join(folder, "queue/tasks/in_progress")), []);
    const { task_id, status, summary } = read("state/results/task-20260207-001.json");
    assert.deepEqual([task_id, status, summary], ["task-20260207-001", "success", "reviewed"]);
  }));

test("a task that is moved while nobody runs is claimed at the start", () =>
  inRoom(async (room) => {
    const place = await pendingTask(room, "t1");
    await room.ledger.close();
    moveTo(room.folder, place, place.replace("pending", "in_progress"));
    await (await file({ folder: room.folder, layouts })).close(); // somebody who has no eye for workers
    await withRoom(room.folder, async ({ ledger }) => {
      assert.equal((await ledger.of("me", "test").get("t1"))?.lease?.holder, "file:gen-pr");
    });
  }));

test("a heartbeat keeps a task; without one it is taken back and may be had again", () =>
  inRoom(
    async (room) => {
      const { folder, heard, ledger } = room;
      const place = await pendingTask(room, "t1");
      moveTo(folder, place, place.replace("pending", "in_progress"));
      await heard.until("taken");
      const beat = join(folder, "state/results/t1-heartbeat");
      const claimedAt = Date.now();
      while (Date.now() < claimedAt + 900) {
        writeFileSync(beat, "");
        await new Promise((resolve) => setTimeout(resolve, 30));
        assert.equal(heard.lost(), 0);
      }
      await heard.until("reported"); // as having no result
      assert.equal(heard.lost(), 1);
      const back = await ledger.of("me", "test").get("t1");
      assert.deepEqual([back?.state, back?.lease, back?.attempt], ["pending", null, 1]);
      await ledger.close();
      assert.deepEqual(readdirSync(join(folder, "queue/tasks/pending")), ["t1.json"]);
    },
    { leaseMs: 400 },
  ));

test("a result that comes after the end, for nobody, or for somebody else's work is put aside", () =>
  inRoom(async (room) => {
    const { ledger, folder, heard, drop, quarantined, read } = room;
    const place = await pendingTask(room, "t1");
    drop("state/results/t1.json", { status: "success", summary: "one" }); // without moving it first
    await heard.until("reported");
    while (existsSync(join(folder, place))) await new Promise((resolve) => setImmediate(resolve));
    await ledger.of("me", "test").append({ ...taskDraft("t2"), queue: "task@node" });
    await ledger.work.claim({
      kind: taskKind,
      queue: "task@node",
      holder: "n",
      leaseMs: 1e6,
      limit: 1,
    });
    await ledger.close();
    const late = { status: "failed", summary: "two", error: "late" };
    for (const name of ["t1", "t2", "t3"]) drop(`state/results/${name}.json`, late);
    drop("state/results/t1-raw.json", { any: "thing" });
    await withRoom(folder, async () => undefined);
    assert.deepEqual(quarantined().toSorted(), [
      "state/results/t1.json: The task had ended completed before.",
      "state/results/t2.json: n is at work on the task: only its result is taken.",
      "state/results/t3.json: There is no task of this name.",
    ]);
    assert.equal(read("state/results/t1.json")["summary"], "one");
    assert.deepEqual(read("state/results/t1-raw.json"), { any: "thing" });
  }));

test("a result that comes after the end is put aside while the ledger is open, and ours is there again", () =>
  inRoom(async (room) => {
    const { folder, heard, drop, quarantined, read } = room;
    const place = "state/results/t1.json";
    const task = await pendingTask(room, "t1");
    drop(place, { status: "success", summary: "one" });
    await heard.until("reported");
    await until(() => !existsSync(join(folder, task)) && "daybook" in read(place));
    // The second differs by what ours does not say, the third by its status alone.
    const late = [
      { status: "failed", summary: "two", error: "late" },
      { status: "success", summary: "one", session_id: "s-1" },
      { status: "failed", summary: "one" },
    ];
    for (const [index, each] of late.entries()) {
      drop(place, each);
      await until(() => quarantined().length > index);
      await until(() => existsSync(join(folder, place)));
      assert.deepEqual([read(place)["status"], read(place)["summary"]], ["success", "one"]);
    }
    const reason = "state/results/t1.json: The task had ended completed before.";
    assert.deepEqual(quarantined(), [reason, reason, reason]);
    writeFileSync(join(folder, place), JSON.stringify(late[0])); // in place, without a rename
    await until(() => quarantined().length > late.length);
    await until(() => existsSync(join(folder, place)));
    rmSync(join(folder, place));
    await until(() => existsSync(join(folder, place)));
  }));

test("after a start a result is known as ours too: it stays as it is, and a late one is seen", () =>
  inRoom(async (room) => {
    const { folder, heard, drop, read, ledger, quarantined } = room;
    const place = "state/results/t1.json";
    await pendingTask(room, "t1");
    drop(place, { status: "success", summary: "one" });
    await heard.until("reported");
    await until(() => "daybook" in read(place));
    await ledger.close();
    const { ino } = lstatSync(join(folder, place));
    await withRoom(folder, async () => {
      assert.equal(lstatSync(join(folder, place)).ino, ino);
      drop(place, { status: "success", summary: "one" }); // the same again is nothing new
      await until(() => "daybook" in read(place));
      assert.deepEqual(quarantined(), []);
      drop(place, { status: "failed", summary: "two", error: "late" });
      await until(() => quarantined().length > 0);
    });
    assert.equal(read(place)["summary"], "one");
  }));

test("any other move by hand is put right, and what was removed is there again", () =>
  inRoom(async (room) => {
    const { folder, ledger, drop, heard } = room;
    drop(`${events}/evt-1.json`, event);
    await heard.until("dropped");
    const place = await pendingTask(room, "t1");
    await pendingTask(room, "own");
    const later = { ...taskDraft("later"), wakeAt: Date.now() + 1e8 };
    await ledger.of("me", "test").append(later);
    await ledger.close();
    moveTo(folder, `${events}/evt-1.json`, "queue/events/completed/evt-1.json");
    moveTo(folder, place, "queue/tasks/completed/t1.json");
    moveTo(folder, "queue/tasks/pending/later.json", "queue/tasks/in_progress/later.json");
    await withRoom(folder, async ({ ledger: again }) => {
      for (const id of ["t1", "own", "later", "evt-1"]) {
        assert.equal((await again.of("me", "test").get(id))?.state, "pending");
      }
      rmSync(join(folder, "queue/tasks/pending/own.json"));
    });
    await withRoom(folder, async () => undefined);
    const names = readdirSync(join(folder, "queue/tasks/pending")).toSorted();
    assert.deepEqual(names, ["later.json", "own.json", "t1.json"]);
  }));

test("an attempt that is made again begins without the result of the one before", () =>
  inRoom(async (room) => {
    const { ledger, folder, heard, drop } = room;
    const place = await pendingTask(room, "t1");
    const failed = { status: "failed", summary: "no", error: "no" };
    for (const times of [1, 2]) {
      moveTo(folder, place, place.replace("pending", "in_progress"));
      await heard.until("taken", times);
      drop("state/results/t1.json", failed);
      await heard.until("reported", times);
      while (!existsSync(join(folder, place)))
        await new Promise((resolve) => setImmediate(resolve));
      assert.ok(!existsSync(join(folder, "state/results/t1.json")));
    }
    assert.equal((await ledger.of("me", "test").get("t1"))?.attempt, 2);
    await ledger.close();
    dropIn(folder, "state/results/t1.json", failed); // as a crash leaves it between settle and removal
    utimesSync(join(folder, "state/results/t1.json"), 1, 1);
    await withRoom(folder, async ({ ledger: again }) => {
      assert.equal((await again.of("me", "test").get("t1"))?.attempt, 2);
    });
    assert.ok(!existsSync(join(folder, "state/results/t1.json")));
  }));

test("a result that no rule can read is put aside, and a better one may follow", () =>
  inRoom(async (room) => {
    const { ledger, folder, heard, drop, quarantined } = room;
    const place = await pendingTask(room, "t1");
    moveTo(folder, place, place.replace("pending", "in_progress"));
    await heard.until("taken");
    drop("state/results/t1.json", { status: "great" });
    while (quarantined().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(quarantined(), ["state/results/t1.json: great is no status."]);
    assert.equal((await ledger.of("me", "test").get("t1"))?.lease?.holder, "file:gen-pr");
    drop("state/results/t1.json", { status: "success", summary: 'it\'s $(done) & "quoted"\n%s' });
    await heard.until("reported");
    assert.equal((await ledger.of("me", "test").get("t1"))?.state, "completed");
  }));

test("a shell script is a worker: names and quotes of a payload are nobody's program", () =>
  inRoom(async (room) => {
    const { ledger, folder, heard } = room;
    await pendingTask(room, "t1");
    const script = `set -e
      mv queue/tasks/pending/t1.json queue/tasks/in_progress/
      echo '{"status":"success","summary":"by sh"}' > state/results/.tmp-t1.json
      mv state/results/.tmp-t1.json state/results/t1.json
      echo '{"type":"a.b","source":"sh","payload":{"text":"a & b '"'"'c'"'"' $(x)"}}' > queue/events/pending/.tmp-e
      mv queue/events/pending/.tmp-e queue/events/pending/evt-sh-1.json`;
    assert.equal(spawnSync("sh", ["-c", script], { cwd: folder }).status, 0);
    await Promise.all([heard.until("reported"), heard.until("dropped")]);
    assert.equal((await ledger.of("me", "test").get("t1"))?.state, "completed");
    const event = await ledger.of("me", "test").get("evt-sh-1");
    assert.deepEqual(is(eventKind, event) && event.body.payload, { text: "a & b 'c' $(x)" });
  }));

test("a store that cannot be written leaves a dropped file where it is, until it can", () => {
  let isFull = true;
  const onStep = (step: string): void => {
    if (isFull && step === "begun") throw new Error("The disk is broken.");
  };
  return inRoom(
    async ({ folder, quarantined, ledger }) => {
      assert.ok(existsSync(join(folder, events, "evt-1.json")));
      assert.deepEqual(quarantined(), []);
      await ledger.close();
      isFull = false;
      await withRoom(folder, async ({ ledger: again }) => {
        assert.equal((await again.of("me", "test").get("evt-1"))?.state, "pending");
      });
    },
    { onStep, before: (folder) => dropIn(folder, `${events}/evt-1.json`, event) },
  );
});
