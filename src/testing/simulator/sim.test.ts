import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isFullDepth, sampleSize, skipUnlessFull } from "../depth.ts";
import { marks } from "./marks.ts";
import { runSeed, type StoreName } from "./run-seed.ts";
import { simulatorProcess } from "./simulator-process.ts";
import { setTrap } from "./trap.ts";

/** What must happen in 2,000 seeds, or they say nothing about it. */
const reachable = [
  "a cancel came too late",
  "a channel threw",
  "a computed time moved to a free minute",
  "a destination was down",
  "a digest lost a member",
  "a digest of one message",
  "a digest of several messages",
  "a failed nag was retried",
  "a fifth attempt",
  "a handler task ended as failed",
  "a handler task ended as killed",
  "a handler task ended as needs_human",
  "a handler task ended as skipped",
  "a handler task ended as success",
  "a handler task was retried",
  "a hint was lost",
  "a key conflict",
  "a key was appended again",
  "a lapsed lease was renewed",
  "a lease renewal reported a cancel",
  "a lease was lost during a send",
  "a listener attached",
  "a listener confirmed the message of another owner",
  "a message arrived after its record had ended",
  "a message was shown twice",
  "a nag became active",
  "a nag became ended",
  "a nag became paused",
  "a nag paused itself",
  "a nag was changed while it was being sent",
  "a nag was sent at a computed time",
  "a nag was sent at its requested time",
  "a nag was sent for the third time",
  "a notice was sent",
  "a notification of a nag ended delivered",
  "a notification of a nag ended failed",
  "a notification waits for a digest",
  "a notification was sent once more",
  "a part arrived twice",
  "a process claimed its own lapsed record",
  "a process claimed the lapsed record of another",
  "a process crashed",
  "a process stopped cleanly",
  "a process was paused",
  "a record was left unchanged",
  "a record was released unstarted",
  "a record was settled under a lapsed lease",
  "a run notice was sent: ⛔",
  "a run notice was sent: ✅",
  "a run notice was sent: ❌",
  "a run outlived its schedule",
  "a run started for backfill",
  "a run started for cadence",
  "a run started for run now",
  "a run started while another may be running",
  "a run waits for the current run",
  "a run was refused for the current run",
  "a schedule became active",
  "a schedule became disabled",
  "a schedule became paused",
  "a second notice",
  "a send answered unknown",
  "a send hung",
  "a send ignored its signal",
  "a send outlived its process",
  "a send resumed after the parts that were sent",
  "a source returned an event again",
  "a task ran in a workspace",
  "a task ran on a node",
  "a task ran on an external worker",
  "a task resumed with an answer",
  "a volume was replaced by its archive",
  "a workspace became running",
  "act failed",
  "all capacity for tasks is used",
  "an append was refused as held",
  "an event waits for better health",
  "an event was cancelled while it was being dispatched",
  "an event was discarded",
  "an event was dispatched",
  "an id was appended again",
  "cancel answered cancelled",
  "cancel answered cancelling",
  "cancel answered ended",
  "channel answered absent",
  "channel answered delivered",
  "channel answered rejected",
  "channel answered retry",
  "channel answered unknown",
  "commit unknown on append",
  "commit unknown on cancel",
  "commit unknown on claim",
  "commit unknown on edit",
  "commit unknown on keep",
  "commit unknown on move",
  "commit unknown on settle",
  "edit answered stale",
  "edited under a lease",
  "ended delivered",
  "ended expired",
  "ended failed",
  "ended unconfirmed",
  "keep answered stale",
  "lane parked: rest",
  "lane parked: share",
  "lease lost",
  "node lost",
  "progress was saved",
  "run cancelled",
  "run completed",
  "run failed",
  "run interrupted",
  "send aborted: time is up",
  "send aborted: told to stop",
  "settle answered moved",
  "settle answered refused",
  "settle answered stale",
  "slot missed by a change",
  "slot missed",
  "slot runs",
  "slot skipped budget",
  "slot skipped by a change",
  "slot skipped overlap",
  "slot skipped paused",
  "the store was busy",
  "the store's clock jumped ahead",
  "the store's clock jumped back",
  "woken under a lease",
  "write answered gap",
  "write answered stale",
];

const timeout = 30 * 60_000; // two busy cores took more than ten for 2,000 seeds

test("every seed that once found a bug holds, on both stores", { timeout }, async () => {
  const text = readFileSync(new URL("./seeds.txt", import.meta.url), "utf8");
  const seeds = text.split("\n").filter(Boolean).map(Number.parseFloat);
  const stores: readonly StoreName[] = ["memory", "sqlite"];
  const trap = setTrap();
  try {
    for (const seed of seeds) {
      for (const store of stores) {
        const { violation } = await runSeed({ seed, store, marks: marks(), trap });
        assert.equal(violation, undefined, `seed ${seed} on ${store}`);
      }
    }
  } finally {
    trap.remove();
  }
});

test("2,000 seeds hold, and between them reach every situation", { timeout }, async (t) => {
  const count = sampleSize(t, 2_000, { size: 100, of: "seeds" }) / 2;
  const halves = await Promise.all([
    simulatorProcess({ from: 1, count }),
    simulatorProcess({ from: 1_001, count }),
  ]);
  assert.deepEqual(
    halves.flatMap(({ failures }) => failures),
    [],
  );
  const least = isFullDepth ? 3 : 1;
  for (const mark of reachable) {
    const count = halves.reduce((sum, { marks }) => sum + (marks[mark] ?? 0), 0);
    assert.ok(count >= least, `"${mark}" was reached ${count} times`);
  }
  for (const { seeds, events } of halves) assert.ok(events / seeds >= 1_000);
});

test("a month of 200 schedules on three nodes holds, on both stores", { timeout }, async () => {
  const { seeds, failures, marks } = await simulatorProcess({ from: 3, count: 2, long: "month" });
  assert.deepEqual(failures, []);
  assert.equal(seeds, 2);
  const reached = [
    "a process crashed",
    "a schedule was deleted during a run",
    "a schedule was edited during a run",
    "run interrupted",
  ];
  for (const mark of reached) assert.ok((marks[mark] ?? 0) > 0, `"${mark}" was never reached`);
  assert.ok((marks["slot runs"] ?? 0) > 2_000);
});

const fullDepth = { timeout, skip: skipUnlessFull };

test("a year of 1,000 nags in eight zones on three nodes holds", fullDepth, async () => {
  const { seeds, failures, marks } = await simulatorProcess({ from: 2, count: 1, long: "year" });
  assert.deepEqual(failures, []);
  assert.equal(seeds, 1);
  const reached = [
    "a process crashed",
    "a nag became paused",
    "a failed nag was retried",
    "a notification waits for a digest",
  ];
  for (const mark of reached) assert.ok((marks[mark] ?? 0) > 0, `"${mark}" was never reached`);
  assert.ok((marks["a nag was sent at a computed time"] ?? 0) > 3_000);
});

test(
  "50 workspaces on three nodes become what is asked and lose nothing",
  { timeout },
  async (t) => {
    const count = sampleSize(t, 6, { size: 3, of: "seeds" });
    const { seeds, failures, marks } = await simulatorProcess({
      from: 1,
      count,
      long: "workspaces",
    });
    assert.deepEqual(failures, []);
    assert.equal(seeds, count);
    const reached = [
      "ERROR Unreachable",
      "a list was stale",
      "a machine died and is stopped",
      "a task ran in a workspace",
      "a task was woken by its workspace",
      "a volume was replaced by its archive",
      "a workspace was deleted",
      "an owner reached its limit of workspaces",
      "chose STANDBY because of idle",
      "a process crashed",
      "engine lost an answer",
      "workspace: restore",
    ];
    for (const mark of reached) assert.ok((marks[mark] ?? 0) > 0, `"${mark}" was never reached`);
  },
);

test("the same seed is the same run in another process and time zone", { timeout }, async () => {
  const zones = ["Asia/Seoul", "America/St_Johns"];
  const [first, second] = await Promise.all(
    zones.map((TZ) => simulatorProcess({ from: 41, count: 4, env: { TZ } })),
  );
  assert.ok(first !== undefined && first.seeds === 4);
  assert.equal(first.digest, second?.digest);
});
