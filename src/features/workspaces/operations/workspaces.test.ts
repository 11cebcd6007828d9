import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  bookFixture,
  type BookFixture,
  using,
  withRunners,
} from "../../../../test/book-fixture.ts";
import { observedAs } from "../../../../test/workspace-states.ts";
import { workspacesHere } from "../../../../test/workspaces-here.ts";
import { callOperation } from "../../../kernel/call.ts";
import type { Context, Operation } from "../../../kernel/operation.ts";
import { provide } from "../../../kernel/port.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { isoOf } from "../../../platform/iso-time.ts";
import { operations } from "../../index.ts";
import { createSchedule } from "../../schedules/operations/create.ts";
import { editSchedule } from "../../schedules/operations/edit.ts";
import { deleteSchedule } from "../../schedules/operations/lifecycle.ts";
import { runTask } from "../../tasks/operations/run.ts";
import { runWorkspaces } from "../../tasks/ports.ts";
import { archiveKeyOf } from "../archives.ts";
import { workspaceKind, workspaceQueue } from "../kind.ts";
import { keptWorkspaces } from "../ports.ts";
import { deleteWorkspace, recoverWorkspace, setWorkspace } from "./change.ts";
import { collectArchives } from "./collect.ts";
import { createWorkspace } from "./create.ts";
import { archiveWorkspace, restoreWorkspace, touchWorkspace } from "./levels.ts";
import { planWorkspace } from "./plan.ts";
import { showWorkspace } from "./show.ts";
import type { WorkspaceView } from "./view.ts";

const { explain } = operations;

async function asks<Output>(
  operation: { run(input: never, context: Context): Promise<Output> },
  input: object,
  context: Context,
): Promise<Output> {
  const { output } = await callOperation(
    context,
    operation as unknown as Operation,
    input,
    context,
  );
  return output as Output;
}

function keep(context: Context, more: object = {}): Promise<WorkspaceView & { fresh: boolean }> {
  return asks(createWorkspace, { name: "dev", image: "node:24", ...more }, context);
}

describe("creating a workspace", () => {
  test("again with the same settings returns the same one", async () => {
    const { mina } = bookFixture();
    const first = await keep(mina, { sleep_after: "10m", cpus: 0.5 });
    const again = await keep(mina, { sleep_after: 600 });
    assert.deepEqual([again.id, first.fresh, again.fresh], [first.id, true, false]);
    assert.deepEqual([again.standby_ttl_seconds, again.cpus], [600, 0.5]);
    assert.equal(
      (await keep(mina, { name: "DEV" })).id,
      first.id,
      "names differ in more than case",
    );
  });
  test("again with other settings is refused, with the differences", async () => {
    const { mina } = bookFixture();
    await keep(mina);
    await assert.rejects(keep(mina, { image: "node:26", memory: 64 }), {
      code: "held",
      message: /another image, memory: choose another name, or .*daybook workspace edit/,
    });
  });
  test("without an image in request and settings is refused with the command to type", async () => {
    const { mina } = bookFixture();
    const asked = asks(createWorkspace, { name: "bare" }, mina);
    await assert.rejects(asked, {
      code: "invalid",
      message: /daybook workspace create bare --image IMAGE/,
    });
    const { image_ref: image } = await asks(createWorkspace, { name: "scratch" }, mina);
    assert.equal(image, "node:24", "as it is set for that name");
  });
  test("without configured machines names the setting", async () => {
    const { mina } = bookFixture();
    const bare = using(
      mina,
      provide(keptWorkspaces, () => undefined),
    );
    await assert.rejects(keep(bare), { code: "unsupported", message: /DAYBOOK_MACHINES/ });
  });
  test("over the limit names the caller's running ones, and writes nothing", async () => {
    const { mina } = bookFixture();
    await keep(mina, { name: "a" });
    await keep(mina, { name: "b" });
    await assert.rejects(keep(mina, { name: "c" }), (error: Error & { details: object }) => {
      assert.match(error.message, /^Only 2 workspaces of yours may run at once/);
      assert.equal((error.details as { limit_type: string }).limit_type, "per_user");
      return true;
    });
    const asleep = await keep(mina, { name: "c", desired_state: "STANDBY" });
    assert.equal(asleep.desired_state, "STANDBY");
    await asks(archiveWorkspace, { id: "a" }, mina);
    assert.equal((await asks(restoreWorkspace, { id: "c" }, mina)).desired_state, "RUNNING");
  });
  test("twice at once for the last slot succeeds once", async () => {
    const { mina } = bookFixture();
    await keep(mina, { name: "a" });
    const both = await Promise.allSettled(["b", "c"].map((name) => keep(mina, { name })));
    assert.deepEqual(both.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
  });
});

describe("a workspace", () => {
  test("shows that it is archived, and its operation", async () => {
    const { mina, ledger } = bookFixture();
    const { id } = await keep(mina);
    const book = ledger.of("mina", "x");
    const key = archiveKeyOf(id, "op");
    const display = async (): Promise<string> => (await asks(showWorkspace, { id }, mina)).display;
    await observedAs(book, id, "pending", { archiveKey: key });
    assert.equal(await display(), "ARCHIVED");
    await observedAs(book, id, "pending", { operation: "RESTORING" });
    assert.equal(await display(), "ARCHIVED");
    await observedAs(book, id, "standby", { operation: "ARCHIVING" });
    assert.equal(await display(), "STANDBY");
    await observedAs(book, id, "running", { operation: "STOPPING" });
    assert.equal(await display(), "RUNNING");
    await observedAs(book, id, "running", { operation: null });
    assert.equal(await display(), "RUNNING");
  });
  test("is edited in all requested fields at once, or in none", async () => {
    const { mina } = bookFixture();
    await keep(mina, { name: "other", desired_state: "STANDBY" });
    const { id } = await keep(mina);
    const change = { id, memo: "mine", desired_state: "STANDBY", sleep_after: "1h" };
    await assert.rejects(asks(setWorkspace, { ...change, name: "other" }, mina), {
      code: "held",
      message: /There is already a workspace "other"/,
    });
    assert.equal((await asks(showWorkspace, { id }, mina)).memo, null);
    const after = await asks(setWorkspace, { ...change, name: "renamed" }, mina);
    assert.deepEqual(
      [after.name, after.memo, after.desired_state, after.standby_ttl_seconds],
      ["renamed", "mine", "STANDBY", 3_600],
    );
    assert.equal((await keep(mina)).fresh, true, "its old name is free");
    await assert.rejects(asks(setWorkspace, { id, memo: "x", revision: 1 }, mina), {
      code: "stale",
    });
  });
  test("is touched when the use is new", async () => {
    const { mina, clock } = bookFixture();
    await keep(mina);
    assert.equal((await asks(touchWorkspace, { id: "dev" }, mina)).changed, false);
    clock.advance(60_000);
    const later = await asks(touchWorkspace, { id: "dev" }, mina);
    assert.deepEqual([later.changed, later.last_access_at], [true, "2026-11-15T23:01:00Z"]);
  });
  test("that was deleted cannot be changed, is deleted once, and keeps its name until it is gone", async () => {
    const { mina } = bookFixture();
    const { id } = await keep(mina);
    assert.equal((await asks(deleteWorkspace, { id }, mina)).deleted, true);
    assert.equal((await asks(deleteWorkspace, { id }, mina)).deleted, false);
    await assert.rejects(asks(restoreWorkspace, { id }, mina), { code: "ended" });
    await assert.rejects(keep(mina), { code: "held", message: /is being deleted/ });
  });
  test("of another owner is not found, by its id or its name", async () => {
    const { mina, jun } = bookFixture();
    const { id } = await keep(mina);
    for (const which of [id, "dev"]) {
      for (const each of [showWorkspace, planWorkspace, deleteWorkspace, recoverWorkspace]) {
        await assert.rejects(asks<unknown>(each, { id: which }, jun), { code: "not_found" });
      }
    }
    assert.equal((await keep(jun)).fresh, true, "a name is one in a book");
  });
});

/** One that came into ERROR while it was started. */
async function broken({ mina, ledger }: BookFixture): Promise<string> {
  const { id } = await keep(mina);
  const errorInfo = {
    reason: "Unreachable",
    message: "The engine does not answer: start it.",
    context: {},
    occurredAt: mina.now(),
  } as const;
  const outcome = { errorInfo, errorCount: 4, previousStatus: "STANDBY" } as const;
  await observedAs(ledger.of("mina", "node"), id, "error", outcome);
  return id;
}

describe("a workspace in ERROR", () => {
  test("is recovered to its earlier state; a workspace without ERROR is refused", async () => {
    const at = bookFixture();
    const id = await broken(at);
    const after = await asks(recoverWorkspace, { id }, at.mina);
    assert.deepEqual(
      [after.status, after.error_info, after.error_count, after.previous_status],
      ["STANDBY", null, 0, null],
    );
    await assert.rejects(asks(recoverWorkspace, { id }, at.mina), { code: "invalid" });
  });
  for (const [language, words] of [
    ["en", /ERROR[\s\S]*Unreachable \(4 in a row\): The engine does not answer[\s\S]*recover dev/],
    ["ko", /ERROR[\s\S]*Unreachable \(연속 4번\)[\s\S]*daybook workspace recover dev/],
  ] as const) {
    test(`shows the error and what to do (${language})`, async () => {
      const at = bookFixture();
      const id = await broken(at);
      const reader = at.reader(language);
      const planned = await asks(planWorkspace, { id }, at.mina);
      assert.equal(planned.do, null);
      assert.match(planWorkspace.render(planned, reader), words);
      const shown = await asks(showWorkspace, { id }, at.mina);
      assert.match(showWorkspace.render(shown, reader), words);
      for (const which of [id, "dev"]) {
        const story = explain.render(await asks(explain, { id: which }, at.mina), reader);
        assert.match(story, /Unreachable/);
        assert.match(story, /daybook workspace recover dev/);
      }
    });
  }
});

describe("the plan for a workspace", () => {
  test("follows from the current observation, if there is one", async () => {
    const { mina } = bookFixture();
    const { id } = await keep(mina);
    const observe = () => Promise.resolve({ machine: null, volume: { marker: null } });
    const seeing = using(
      mina,
      provide(keptWorkspaces, () => workspacesHere({ observe })),
    );
    const blind = await asks(planWorkspace, { id }, mina);
    assert.deepEqual([blind.do, blind.seen.looked], ["PROVISIONING", false]);
    const planned = await asks(planWorkspace, { id }, seeing);
    assert.deepEqual(
      [planned.do, planned.seen, planned.why],
      [
        "STARTING",
        { machine: null, volume: true, looked: true },
        "it is STANDBY, and RUNNING is desired",
      ],
    );
  });
  test("follows from the record while the machines do not answer", async () => {
    const { mina } = bookFixture();
    const { id } = await keep(mina);
    const observe = () => Promise.reject(new DaybookError("unavailable", "The engine is down."));
    const planned = await asks(
      planWorkspace,
      { id },
      using(
        mina,
        provide(keptWorkspaces, () => workspacesHere({ observe })),
      ),
    );
    assert.deepEqual([planned.do, planned.seen.looked], ["PROVISIONING", false]);
  });
  test("expects the next observation after the configured poll interval", async () => {
    const { mina, ledger, clock } = bookFixture();
    const { id } = await keep(mina);
    const queue = workspaceQueue("here");
    const request = {
      kind: workspaceKind,
      queue,
      holder: "n",
      leaseMs: 900_000,
      limit: 1,
    } as const;
    assert.equal((await ledger.work.claim(request)).records.length, 1);
    const polled = using(
      mina,
      provide(keptWorkspaces, () => workspacesHere({ pollMs: () => 5_000 })),
    );
    const planned = await asks(planWorkspace, { id }, polled);
    assert.equal(planned.next_look_at, isoOf(clock.wall() + 5_000));
  });
  test("names the next run in it, and a choice without a request", async () => {
    const at = bookFixture();
    const { id } = await keep(at.mina);
    const run = { command: ["ls"], in: "Dev" };
    await asks(createSchedule, { when: "every day 9am", run }, at.mina);
    const own = { desired: "STANDBY", asks: 1, because: "idle" } as const;
    await observedAs(at.ledger.of("mina", "node"), id, "standby", { own });
    const planned = await asks(planWorkspace, { id }, at.mina);
    assert.equal(planned.next_slot_at, "2026-11-16T00:00:00Z");
    assert.deepEqual(planned.workspace.own_choice, { desired: "STANDBY", because: "idle" });
    const said = planWorkspace.render(planned, at.reader());
    assert.match(said, /should be STANDBY, chosen because it is idle/);
  });
});

describe("archives that no workspace needs", () => {
  test("are listed unless apply is set, and only for an administrator", async () => {
    const { mina } = bookFixture();
    const notices: object[] = [];
    const collect = (options: object) => {
      notices.push(options);
      const orphans = { "archives/x/y/": 0 };
      return Promise.resolve({ remove: [], orphans, isBraked: true, parts: [] });
    };
    const workspaces = workspacesHere({ collect });
    const here = using(
      mina,
      provide(keptWorkspaces, () => workspaces),
    );
    await assert.rejects(asks(collectArchives, {}, here), { code: "refused" });
    const admin: Context = { ...here, scopes: ["admin"] };
    const shown = await asks(collectArchives, {}, admin);
    assert.deepEqual([shown.applied, shown.braked, shown.orphans.length], [false, true, 1]);
    assert.equal((await asks(collectArchives, { apply: true }, admin)).applied, false, "braked");
    assert.deepEqual(notices, [
      { apply: false, confirm: false },
      { apply: true, confirm: false },
    ]);
  });
});

describe("a run in a workspace", () => {
  const noCommands = (context: Context, isLocal = false): Context =>
    using(
      withRunners(context, {}),
      provide(runWorkspaces, () => workspacesHere({ isLocal })),
    );
  const schedule = (context: Context, place: string) =>
    asks(createSchedule, { when: "every day", run: { command: ["ls"], in: place } }, context);

  test("needs permission to run here only if machines are local", async () => {
    const { mina } = bookFixture();
    await keep(mina);
    const made = await schedule(noCommands(mina), "dev");
    assert.deepEqual(made.run, { command: ["ls"], in: "dev" });
    await assert.rejects(schedule(noCommands(mina, true), "dev"), { code: "refused" });
  });
  test("needs a workspace that exists or can be made, or an error tells how", async () => {
    const { mina, jun } = bookFixture();
    await keep(mina);
    const create = "create it with daybook workspace create nowhere --image IMAGE";
    for (const [context, toDo] of [
      [mina, `use dev, or ${create}`],
      [jun, create],
    ] as const) {
      await assert.rejects(schedule(context, "nowhere"), {
        code: "not_found",
        message: `There is no workspace "nowhere" in this book, and no image to make it from: ${toDo}`,
      });
    }
    await assert.rejects(schedule(jun, "dev"), { code: "not_found" }, "another's is nowhere");
    assert.deepEqual((await schedule(jun, "scratch")).run, { command: ["ls"], in: "scratch" });
    await asks(deleteWorkspace, { id: "dev" }, mina);
    await assert.rejects(schedule(mina, "dev"), { code: "not_found" });
  });
  test("says that its first run creates the workspace, and which exist", async () => {
    const { mina, reader } = bookFixture();
    await keep(mina);
    const created = await schedule(mina, "scratch");
    assert.deepEqual(created.missing_workspace, { name: "scratch", others: ["dev"] });
    const line =
      "There is no workspace 'scratch' yet: the first run creates it. Workspaces that exist: dev.";
    assert.ok(createSchedule.render(created, reader()).split("\n").includes(line));
    const { id } = created;
    const moved = await asks(editSchedule, { id, run: { in: "dev" } }, mina);
    assert.equal(moved.missing_workspace, undefined);
    const back = await asks(editSchedule, { id, run: { in: "scratch" } }, mina);
    assert.ok(editSchedule.render(back, reader()).split("\n").includes(line));
    const run = await asks(runTask, { task: "tidy", in: "scratch" }, mina);
    assert.ok(runTask.render(run, reader()).split("\n").includes(line));
    assert.match(
      runTask.render(run, reader("ko")),
      /작업 공간 'scratch'.* 지금 있는 작업 공간: dev\.$/,
    );
    await asks(createWorkspace, { name: "scratch" }, mina);
    assert.equal((await schedule(mina, "Scratch")).missing_workspace, undefined);
  });
  test("is named when its workspace is deleted, with the time when it finds no files", async () => {
    const { mina, reader } = bookFixture();
    await keep(mina);
    const { id } = await schedule(mina, "Dev");
    const deleted = await asks(deleteWorkspace, { id: "dev" }, mina);
    const [, second = ""] = deleteWorkspace.render(deleted, reader()).split("\n");
    assert.match(second, /^A schedule runs in a workspace of this name next on \w{3} \d+ .* 2026/);
    assert.ok(deleted.next_slot_at !== null);
    await asks(deleteSchedule, { id }, mina);
    const again = await asks(deleteWorkspace, { id: deleted.id }, mina);
    assert.equal(again.next_slot_at, null);
    assert.equal(deleteWorkspace.render(again, reader()).split("\n").length, 1);
  });
  test("can be moved to another workspace, and is otherwise unchanged", async () => {
    const { mina } = bookFixture();
    await keep(mina);
    const { id } = await schedule(mina, "dev");
    const moved = await asks(editSchedule, { id, run: { in: "scratch" } }, mina);
    assert.deepEqual(moved.run, { command: ["ls"], in: "scratch" });
  });
});
