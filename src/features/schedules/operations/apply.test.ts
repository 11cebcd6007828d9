import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  bookFixture,
  type BookFixture,
  using,
  withRunners,
} from "../../../../test/book-fixture.ts";
import type { Context } from "../../../kernel/operation.ts";
import { provide } from "../../../kernel/port.ts";
import type { Handler } from "../../events/handler.ts";
import { declaredSchedules, scheduleLimits, type DeclaredSchedules } from "../ports.ts";
import { applySchedules } from "./apply.ts";
import { createSchedule } from "./create.ts";
import { editSchedule } from "./edit.ts";
import { schedulesIn } from "./find-schedule.ts";
import { scheduleRuns } from "./runs.ts";

const one: DeclaredSchedules["schedules"][string] = {
  owner: "mina",
  when: "every 2h",
  run: { task: "work" },
  notify: "always",
  misfire: "latest",
  overlap: "skip",
  rerun: false,
  timeout: "10m",
  notifyAfterFailures: 3,
  disableAfterFailures: 5,
  adopt: false,
};

function declaring(
  { mina }: BookFixture,
  schedules: DeclaredSchedules["schedules"],
  owners: readonly string[] = ["mina", "jun"],
): Context {
  return {
    ...using(
      mina,
      provide(declaredSchedules, () => ({ source: "config", owners, schedules })),
    ),
    scopes: ["admin"],
  };
}

async function apply(context: Context, isDry = false): Promise<readonly string[]> {
  const { steps } = await applySchedules.run({ dry_run: isDry }, context);
  return steps.map(({ what, owner, name, fields, drift }) =>
    [what, owner, name, ...fields, ...(drift ? ["drift"] : [])].join(" "),
  );
}

async function names({ ledger }: BookFixture, owner = "mina"): Promise<readonly string[]> {
  const found = await schedulesIn(ledger.of(owner, "x"), { live: true });
  return found.map(({ body }) => body.name);
}

describe("apply", () => {
  test("creates, changes and removes schedules in each owner's book", async () => {
    const at = bookFixture();
    const both = { backup: one, brief: { ...one, owner: "jun", when: "weekdays 08:30" } };
    assert.deepEqual(await apply(declaring(at, both)), ["create mina backup", "create jun brief"]);
    assert.deepEqual([await names(at), await names(at, "jun")], [["backup"], ["brief"]]);
    at.clock.advance(60_000);
    assert.deepEqual(await apply(declaring(at, both)), ["same mina backup", "same jun brief"]);
    const changed = { backup: { ...one, timeout: "1h" } };
    const steps = ["change mina backup timeout", "remove jun brief"];
    assert.deepEqual(await apply(declaring(at, changed), true), steps);
    assert.deepEqual(await names(at, "jun"), ["brief"], "a dry run writes nothing");
    assert.deepEqual(await apply(declaring(at, changed)), steps);
    assert.deepEqual(await names(at, "jun"), []);
    const [gone] = await schedulesIn(at.ledger.of("jun", "x"), { live: false });
    assert.deepEqual([gone?.state, gone?.outcome?.reason], ["completed", "removed from config"]);
  });
  test("that removes a schedule leaves each due slot a row", async () => {
    for (const then of [{}, { other: one }]) {
      const at = bookFixture();
      await apply(declaring(at, { backup: one }));
      at.clock.advance(5 * 3_600_000);
      await apply(declaring(at, then));
      const { runs } = await scheduleRuns.run({ id: "backup", limit: 20 }, at.mina);
      assert.deepEqual(
        runs.map(({ slot, status, reason }) => `${slot} ${status}: ${reason}`),
        [
          "2026-11-16T03:00:00Z missed: removed from config",
          "2026-11-16T01:00:00Z missed: removed from config",
        ],
      );
      assert.deepEqual(await names(at), Object.keys(then));
    }
  });
  test("creates a removed schedule again", async () => {
    const at = bookFixture();
    for (const schedules of [{ backup: one }, {}, { backup: one }]) {
      await apply(declaring(at, schedules));
    }
    assert.deepEqual(await names(at), ["backup"]);
  });
  test("leaves undeclared schedules alone, and refuses their names", async () => {
    const at = bookFixture();
    const made = { name: "own", when: "daily 9am", run: { task: "work" } };
    await createSchedule.run(made, at.mina);
    assert.deepEqual(await apply(declaring(at, { backup: one })), ["create mina backup"]);
    assert.deepEqual(await apply(declaring(at, {})), ["remove mina backup"]);
    assert.deepEqual(await names(at), ["own"]);
    await assert.rejects(apply(declaring(at, { own: one })), {
      code: "held",
      message: /^schedules\.own: A schedule named "own" already exists/,
    });
  });
  test("counts all schedules towards the owner's limit", async () => {
    const at = bookFixture();
    const few = using(
      declaring(at, { backup: one, brief: one }),
      provide(scheduleLimits, () => ({ schedulesMax: 1 })),
    );
    await assert.rejects(apply(few), { message: /^schedules\.brief: "mina" may have 1/ });
    assert.deepEqual(await names(at), [], "all of it, or none");
  });
  test("resets changes from elsewhere, unless they are adopted", async () => {
    const at = bookFixture();
    await apply(declaring(at, { backup: one }));
    await editSchedule.run({ id: "backup", notify: "never" }, at.mina);
    const kept = { backup: { ...one, adopt: true } };
    assert.deepEqual(await apply(declaring(at, kept)), ["keep mina backup notify drift"]);
    assert.deepEqual(await apply(declaring(at, { backup: one })), [
      "change mina backup notify drift",
    ]);
    assert.deepEqual(await apply(declaring(at, { backup: one })), ["same mina backup"]);
  });
  test("names the invalid declaration", async () => {
    const at = bookFixture();
    const wrong = { backup: { ...one, run: { command: ["./x"] } } };
    await assert.rejects(apply(withRunners(declaring(at, wrong), {})), {
      message: /^schedules\.backup: Commands are not allowed here/,
    });
    await assert.rejects(apply(declaring(at, { a: { ...one, when: "every 5s" } })), {
      message: /^schedules\.a: .*at least/,
    });
  });
  test("on several nodes at once creates each schedule once", async () => {
    const at = bookFixture();
    const context = declaring(at, { backup: one, brief: one });
    await Promise.all([apply(context), apply(context), apply(context)]);
    assert.deepEqual((await names(at)).toSorted(), ["backup", "brief"]);
  });
  test("is one unit, so a refused change leaves the others undone", async () => {
    const at = bookFixture();
    await apply(declaring(at, { backup: one, brief: one }));
    const made = await schedulesIn(at.ledger.of("mina", "x"), { live: true });
    assert.deepEqual(
      made.map(({ parent }) => parent),
      [null, null],
    );
    await createSchedule.run({ name: "own", when: "daily 9am", run: { task: "work" } }, at.mina);
    const refused = { backup: { ...one, timeout: "1h" }, own: one };
    await assert.rejects(apply(declaring(at, refused)), { message: /^schedules\.own: / });
    assert.deepEqual((await names(at)).toSorted(), ["backup", "brief", "own"]);
    const backup = made.find(({ body }) => body.name === "backup");
    const left = await at.ledger.of("mina", "x").get(backup?.id ?? "");
    assert.equal(left?.revision, backup?.revision);
  });
  test("renders its plan in both languages", async () => {
    const at = bookFixture();
    const context = declaring(at, { backup: one });
    const dry = await applySchedules.run({ dry_run: true }, context);
    assert.match(
      applySchedules.render(dry, at.reader()),
      /^create {2}backup \(mina\)\nNothing was/,
    );
    assert.match(applySchedules.render(dry, at.reader("ko")), /^생성 {2}backup \(mina\)\n/);
    const none = await applySchedules.run({}, at.mina);
    assert.equal(applySchedules.render(none, at.reader()), "The settings have no schedules.");
  });
});

describe("a handler's schedule", () => {
  const handler: Handler = {
    name: "gen-a",
    subscribes: [],
    run: { command: ["./report.sh", "{{payload.days}}"] },
    timeoutMs: 1_800_000,
    retries: 2,
    target: null,
    channels: ["slack:C2"],
    repo: null,
  };
  const about = {
    name: "daily",
    taskType: "report",
    payload: { days: 1 },
    repo: "a/b",
    capacity: 3,
  };
  const own = { ...one, run: {}, target: "slack:C1", of: { ...about, handler } };

  async function bodyOf({ ledger }: BookFixture) {
    const [found] = await schedulesIn(ledger.of("mina", "x"), { live: true });
    return found?.body ?? assert.fail("no schedule");
  }
  function allowing(at: BookFixture, set: DeclaredSchedules["schedules"]): Context {
    return withRunners(declaring(at, set), { command: true, http: true });
  }

  test("has its handler's settings and follows them", async () => {
    const at = bookFixture();
    assert.deepEqual(await apply(allowing(at, { "gen-a:daily": own })), [
      "create mina gen-a:daily",
    ]);
    const { run, target, event } = await bodyOf(at);
    assert.deepEqual([run, target], [{ command: ["./report.sh", "{{payload.days}}"] }, "slack:C1"]);
    const same = { channels: ["slack:C2"], retries: 2, handler: "gen-a" };
    assert.deepEqual(event, { ...about, ...same });
    assert.deepEqual(await apply(allowing(at, { "gen-a:daily": own })), ["same mina gen-a:daily"]);
    const changed = { ...own, of: { ...own.of, handler: { ...handler, retries: 0 } } };
    assert.deepEqual(await apply(allowing(at, { "gen-a:daily": changed })), [
      "change mina gen-a:daily event",
    ]);
    assert.equal((await bodyOf(at)).event?.retries, 0);
    assert.deepEqual(await apply(allowing(at, {})), ["remove mina gen-a:daily"]);
  });
  test("without a run is for outside workers, and takes no capacity", async () => {
    const at = bookFixture();
    const { run: _, ...outside } = handler;
    const set = { ...own, of: { ...own.of, handler: outside } };
    await apply(declaring(at, { "gen-a:daily": set }));
    const { run, event } = await bodyOf(at);
    assert.deepEqual([run, event?.capacity], [{ task: "gen-a", input: null }, null]);
  });
  test("uses the configured secret for its calls", async () => {
    const at = bookFixture();
    const run = { http: "https://a.example", secret: "whsec_set" };
    const set = { ...own, of: { ...own.of, handler: { ...handler, run } } };
    await apply(allowing(at, { "gen-a:daily": set }));
    assert.deepEqual((await bodyOf(at)).run, run);
    const again = { ...run, secret: "whsec_other" };
    const other = { ...own, of: { ...own.of, handler: { ...handler, run: again } } };
    await apply(allowing(at, { "gen-a:daily": other }));
    assert.deepEqual((await bodyOf(at)).run, again);
  });
  test("is named by its position in an error", async () => {
    const at = bookFixture();
    const set = { ...own, when: "every 5s", place: "daybook.yaml:7:7" };
    await assert.rejects(apply(allowing(at, { "gen-a:daily": set })), {
      message: /^daybook\.yaml:7:7 {2}handlers\.gen-a\.schedules\.daily: It would fire 5 s after/,
    });
  });
});
