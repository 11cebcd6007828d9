import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isFullDepth, sampleSize, skipUnlessFull } from "../depth.ts";
import { marks } from "./marks.ts";
import { runSeed, type StoreName } from "./run-seed.ts";
import { simProcess } from "./sim-process.ts";
import { setTrap } from "./trap.ts";

/** What must happen in 2,000 seeds, or they say nothing about it. */
const reachable = [
  "a digest lost a member",
  "a listener came",
  "a nag became active",
  "a nag became ended",
  "a nag became paused",
  "a nag got another minute",
  "a nag heard delivered",
  "a nag heard failed",
  "a nag is tried again",
  "a nag rests by itself",
  "a nag said again and again",
  "a nag said when asked",
  "a nag said when computed",
  "a nag was changed while it was said",
  "a run outlived its schedule",
  "a run waits for the one at work",
  "a run was at work already",
  "a schedule became active",
  "a schedule became disabled",
  "a schedule became paused",
  "a source told something again",
  "a task ran in a workspace",
  "a task went on with an answer",
  "a volume went into its archive",
  "a workspace became running",
  "act failed",
  "all places are taken",
  "an event waits for better health",
  "an event was discarded",
  "an event was dispatched",
  "an event was taken back while it was looked at",
  "another notice",
  "arrived after the end",
  "arrived twice",
  "cancel answered cancelled",
  "cancel answered cancelling",
  "cancel answered ended",
  "channel answered absent",
  "channel answered delivered",
  "channel answered rejected",
  "channel answered retry",
  "channel answered unknown",
  "channel threw",
  "commit unknown on append",
  "commit unknown on cancel",
  "commit unknown on claim",
  "commit unknown on edit",
  "commit unknown on keep",
  "commit unknown on move",
  "commit unknown on settle",
  "confirmed what is another's",
  "conflict",
  "crash",
  "destination down",
  "digest of many",
  "digest of one",
  "edit answered stale",
  "edited while at work",
  "ended delivered",
  "ended expired",
  "ended failed",
  "ended unconfirmed",
  "fifth attempt",
  "given back unstarted",
  "held",
  "hint lost",
  "id asked again",
  "keep answered stale",
  "keep heard of a cancel",
  "kept after the lease had lapsed",
  "key asked again",
  "lane parked: rest",
  "lane parked: share",
  "lease lost mid-send",
  "lease lost",
  "node lost",
  "notice",
  "own lease lapsed",
  "pause",
  "progress saved",
  "rested",
  "run because of backfill",
  "run because of cadence",
  "run because of run now",
  "run cancelled",
  "run completed",
  "run failed",
  "run interrupted",
  "run while another may be at work",
  "said once more",
  "said ⛔",
  "said ✅",
  "said ❌",
  "send aborted: time is up",
  "send aborted: told to stop",
  "send answered unknown",
  "send deaf to its signal",
  "send hangs",
  "send outlived its sender",
  "settle answered moved",
  "settle answered refused",
  "settle answered stale",
  "settled after the lease had lapsed",
  "shown twice",
  "slot missed by a change",
  "slot missed",
  "slot runs",
  "slot skipped budget",
  "slot skipped by a change",
  "slot skipped overlap",
  "slot skipped paused",
  "stopped cleanly",
  "store busy",
  "takeover",
  "the cancel came late",
  "the store's clock jumped ahead",
  "the store's clock jumped back",
  "waits for a digest",
  "went on where an attempt had stopped",
  "woken while at work",
  "work ended failed",
  "work ended killed",
  "work ended needs_human",
  "work ended skipped",
  "work ended success",
  "work here",
  "work outside",
  "work was tried again",
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
  const count = sampleSize(t, 2_000, { size: 200, of: "seeds" }) / 2;
  const halves = await Promise.all([
    simProcess({ from: 1, count }),
    simProcess({ from: 1_001, count }),
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
  const { seeds, failures, marks } = await simProcess({ from: 3, count: 2, long: "month" });
  assert.deepEqual(failures, []);
  assert.equal(seeds, 2);
  const reached = ["crash", "deleted during a run", "edited during a run", "run interrupted"];
  for (const mark of reached) assert.ok((marks[mark] ?? 0) > 0, `"${mark}" was never reached`);
  assert.ok((marks["slot runs"] ?? 0) > 2_000);
});

const aYear = { timeout, skip: skipUnlessFull };

test("a year of 1,000 nags in eight zones on three nodes holds", aYear, async () => {
  const { seeds, failures, marks } = await simProcess({ from: 2, count: 1, long: "year" });
  assert.deepEqual(failures, []);
  assert.equal(seeds, 1);
  const reached = ["crash", "a nag became paused", "a nag is tried again", "waits for a digest"];
  for (const mark of reached) assert.ok((marks[mark] ?? 0) > 0, `"${mark}" was never reached`);
  assert.ok((marks["a nag said when computed"] ?? 0) > 3_000);
});

test(
  "50 workspaces on three nodes become what is asked and lose nothing",
  { timeout },
  async () => {
    const { seeds, failures, marks } = await simProcess({ from: 1, count: 6, long: "always" });
    assert.deepEqual(failures, []);
    assert.equal(seeds, 6);
    const reached = [
      "ERROR Unreachable",
      "a list was old",
      "a machine died and is stopped",
      "a task ran in a workspace",
      "a task was woken by its workspace",
      "a volume went into its archive",
      "a workspace was deleted",
      "all places of an owner are taken",
      "chose STANDBY because of idle",
      "crash",
      "engine lost an answer",
      "workspace: restore",
    ];
    for (const mark of reached) assert.ok((marks[mark] ?? 0) > 0, `"${mark}" was never reached`);
  },
);

test("the same seed is the same run in another process and time zone", { timeout }, async () => {
  const zones = ["Asia/Seoul", "America/St_Johns"];
  const [first, second] = await Promise.all(
    zones.map((TZ) => simProcess({ from: 41, count: 4, env: { TZ } })),
  );
  assert.ok(first !== undefined && first.seeds === 4);
  assert.equal(first.digest, second?.digest);
});
