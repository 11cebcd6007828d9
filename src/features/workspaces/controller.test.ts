import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { sleep } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import {
  workspaceFixture,
  minuteMs,
  owner,
  type WorkspaceFixture,
} from "../../testing/workspace-fixture.ts";
import type { WorkspaceOperation } from "./kind.ts";

const { signal } = new AbortController();

async function levelOf(at: WorkspaceFixture, id: string): Promise<string> {
  const { state, outcome } = await at.get(id);
  const { machine, volume } = at.engine.at(id);
  const there = machine ?? (volume === null ? "nothing" : "a volume");
  return `${state}, ${outcome?.operation ?? "NONE"}, ${there}`;
}

const up = "running, NONE, running";
const asleep = "standby, NONE, a volume";
const away = "pending, NONE, nothing";

async function notesOf(at: WorkspaceFixture, id: string): Promise<readonly (string | null)[]> {
  const { changes } = await at.ledger.of(owner, owner).changes({ limit: 500 });
  return changes.filter((change) => change.id === id).map(({ note }) => note);
}

suite("the seed's scenarios", () => {
  test("1: a new workspace goes from nothing to its volume to running", async () => {
    const at = workspaceFixture();
    await at.node();
    const id = await at.make("RUNNING");
    await at.pass(30_000);
    assert.equal(await levelOf(at, id), up);
    assert.deepEqual(at.acts, ["provision", "start"]);
    const done = (await notesOf(at, id)).filter((note) => note?.endsWith("is done"));
    assert.deepEqual(done, ["PROVISIONING is done", "STARTING is done"]);
  });

  test("2: an archived workspace is restored with what was in it, and runs", async () => {
    const at = workspaceFixture();
    await at.node();
    const id = await at.make("RUNNING");
    await at.pass(30_000);
    const used = at.engine.use();
    await at.ask(id, "PENDING");
    await at.pass(30_000);
    assert.equal(await levelOf(at, id), away);
    at.acts.length = 0;
    await at.ask(id, "RUNNING");
    await at.pass(30_000);
    assert.equal(await levelOf(at, id), up);
    assert.deepEqual(at.acts, ["restore", "start"]);
    assert.equal(at.engine.contentOf(id), used?.content);
  });

  test("3: a dead machine is observed within a minute, and started again", async () => {
    const at = workspaceFixture();
    await at.node();
    const id = await at.make("RUNNING");
    await at.pass(30_000);
    at.engine.failMachine();
    assert.notEqual(at.engine.at(id).machine, "running");
    await at.pass(minuteMs + 30_000);
    assert.equal(await levelOf(at, id), up);
  });

  test("4: an idle workspace sleeps, and is archived after a day", async () => {
    const at = workspaceFixture();
    await at.node();
    const id = await at.make("RUNNING");
    await at.pass(7 * minuteMs);
    assert.equal(await levelOf(at, id), asleep);
    await at.pass(25 * 60 * minuteMs);
    assert.equal(await levelOf(at, id), away);
    const { outcome, body } = await at.get(id);
    assert.equal(body.desired, "RUNNING");
    assert.equal(outcome?.own?.because, "idle");
    assert.ok(at.storage.at(outcome?.archiveKey ?? "")?.isReadBack);
  });

  test("5: the operation of a node that died is continued", async () => {
    const at = workspaceFixture();
    const first = await at.node();
    const id = await at.make("STANDBY");
    await at.pass(30_000);
    await first.stop();
    await at.ask(id, "RUNNING");
    await at.leave(id, { operation: "STARTING", operationStartedAt: at.kernel.now() });
    await at.node("n2");
    await at.pass(30_000);
    assert.equal(await levelOf(at, id), up);
  });
});

suite("what went wrong before", () => {
  const startedOutcome: readonly (readonly [WorkspaceOperation, string])[] = [
    ["STARTING", up],
    ["STOPPING", asleep],
    ["ARCHIVING", away],
  ];
  for (const [operation, end] of startedOutcome) {
    test(`A10-1: ${operation} that was started is finished, not skipped`, async () => {
      const at = workspaceFixture();
      await at.node();
      const to = end === up ? "RUNNING" : end === asleep ? "STANDBY" : "PENDING";
      const id = await at.make("STANDBY");
      await at.pass(30_000);
      await at.ask(id, to);
      await at.leave(id, { operation, operationStartedAt: at.kernel.now() });
      await at.pass(30_000);
      assert.equal(await levelOf(at, id), end);
    });
  }

  test("A10-3: a reconciled workspace is observed every minute without a write", async () => {
    const at = workspaceFixture();
    await at.node();
    const id = await at.make("RUNNING", { standbyTtlSeconds: 86_400 });
    await at.pass(2 * minuteMs);
    const before = (await notesOf(at, id)).length;
    const { revision } = await at.get(id);
    at.acts.length = 0;
    await at.pass(30 * minuteMs);
    assert.deepEqual(at.acts, []);
    assert.equal((await notesOf(at, id)).length, before);
    assert.equal((await at.get(id)).revision, revision);
    at.engine.failMachine();
    await at.pass(minuteMs + 30_000);
    assert.equal(await levelOf(at, id), up);
  });

  test("A10-4: a workspace without machine and volume is recorded as PENDING", async () => {
    const at = workspaceFixture();
    const node = await at.node();
    const id = await at.make("STANDBY");
    await at.pass(30_000);
    await node.stop();
    void at.machines.volumes.remove(id, signal);
    await at.pass(30_000);
    assert.equal((await at.get(id)).state, "standby");
    await at.node("n2");
    await at.pass(2 * minuteMs);
    assert.equal(await levelOf(at, id), asleep);
    const { changes } = await at.ledger.of(owner, owner).changes({ limit: 500 });
    const states = changes.filter((change) => change.id === id).map(({ state }) => state);
    assert.deepEqual(
      states.filter((state, index) => state !== states[index - 1]),
      ["pending", "standby", "pending", "standby"],
    );
  });

  test("A10-7: a volume is removed only after its archive was read back and recorded", async () => {
    const at = workspaceFixture();
    await at.node();
    const id = await at.make("STANDBY");
    await at.pass(30_000);
    at.acts.length = 0;
    const { remove } = at.machines.volumes;
    let saved: string | null | undefined;
    at.machines.volumes.remove = async (...asked) => {
      saved = (await at.get(id)).outcome?.archiveKey;
      return remove(...asked);
    };
    await at.ask(id, "PENDING");
    await at.pass(30_000);
    assert.deepEqual(at.acts, ["put home.tar.zst", "put home.tar.zst.meta", "remove the volume"]);
    assert.equal(saved, (await at.get(id)).outcome?.archiveKey);
    assert.equal(at.storage.at(saved ?? "")?.isReadBack, true);
  });

  test("A10-7: a corrupt archive is found while the volume exists", async () => {
    const at = workspaceFixture();
    await at.node();
    const id = await at.make("STANDBY");
    await at.pass(30_000);
    at.faults.corruptWrite = 1;
    await at.ask(id, "PENDING");
    await at.pass(20 * minuteMs);
    const { state, outcome } = await at.get(id);
    assert.equal(state, "error");
    assert.equal(outcome?.errorInfo?.reason, "ActionFailed");
    assert.equal(outcome.errorInfo.context["code"], "CHECKSUM_MISMATCH");
    assert.equal(outcome.archiveKey, null);
    assert.notEqual(at.engine.at(id).volume, null);
    at.faults.corruptWrite = 0;
    await at.recover(id);
    await at.pass(30_000);
    assert.equal(await levelOf(at, id), away);
  });

  test("A10-8: a machine that stopped by itself does not block the archive", async () => {
    const at = workspaceFixture();
    await at.node();
    const id = await at.make("RUNNING");
    await at.pass(30_000);
    while (at.engine.at(id).machine !== "stopped") {
      at.engine.failMachine();
      if (at.engine.at(id).machine === null) await at.pass(2 * minuteMs);
    }
    await at.ask(id, "PENDING");
    await at.pass(30_000);
    assert.equal(await levelOf(at, id), away);
    assert.equal((await at.get(id)).outcome?.errorCount, 0);
  });

  test("A10-9: an archive and its meta object are kept together in every round", async () => {
    const at = workspaceFixture();
    await at.node();
    const id = await at.make("STANDBY");
    await at.pass(30_000);
    await at.ask(id, "PENDING");
    await at.pass(30_000);
    const isMade = { operation: "ARCHIVING", opId: "made-now" } as const;
    const other = await at.make("STANDBY", { name: "other" });
    await at.pass(30_000);
    await Promise.all([
      at.archives.put(`archives/${other}/made-now/home.tar.zst`, oneByte(), signal),
      at.pass(1_000),
    ]);
    await (await at.node("n2")).stop();
    const memory = { orphans: {}, book: null };
    let round = await during(at, at.collect({ now: at.kernel.now(), memory, signal }));
    assert.deepEqual(Object.keys(round.orphans), [`archives/${other}/made-now/`]);
    await at.leave(other, { ...isMade, operation: null });
    for (let hours = 1; hours < 6; hours += 2) {
      const now = at.kernel.now() + hours * 60 * minuteMs;
      round = await during(at, at.collect({ now, memory, signal }));
      assert.deepEqual(round.orphans, {});
    }
    assert.equal(at.storage.keys().filter((key) => key.includes("/home.tar.zst")).length, 3);
  });

  test("an archive of this round is not an orphan: storage is read before the ledger", async () => {
    const at = workspaceFixture();
    const node = await at.node();
    const id = await at.make("STANDBY");
    await at.pass(30_000);
    await node.stop();
    const { list } = at.archives;
    at.archives = {
      ...at.archives,
      async *list(...asked) {
        const archiveKey = `archives/${id}/new/home.tar.zst`;
        await at.archives.put(archiveKey, oneByte(), signal);
        await at.leave(id, { archiveKey });
        yield* list(...asked);
      },
    };
    const memory = { orphans: {}, book: null };
    const round = await during(at, at.collect({ now: at.kernel.now(), memory, signal }));
    assert.equal(round.units, 1);
    assert.deepEqual(round.orphans, {});
  });

  test("A10-13: a call without an answer ends in ERROR with one notice, and recovers", async () => {
    const at = workspaceFixture();
    const { start } = at.machines;
    let isHanging = true;
    at.machines.start = (...asked) =>
      isHanging ? new Promise<never>(() => undefined) : start(...asked);
    await at.node();
    const id = await at.make("RUNNING");
    await at.pass(4 * minuteMs);
    assert.equal(await levelOf(at, id), "standby, STARTING, a volume");
    await at.pass(2 * minuteMs);
    const { outcome, state } = await at.get(id);
    assert.deepEqual([state, outcome?.errorInfo?.reason], ["error", "Timeout"]);
    const notices = await at.notices();
    const to = notices.map((each) => each.replace(/ .*/, "")).toSorted();
    assert.deepEqual(to, ["fake:me", "fake:ops"]);
    await at.pass(60 * minuteMs);
    assert.equal((await at.notices()).length, 2);
    isHanging = false;
    await at.recover(id);
    await at.pass(30_000);
    assert.equal((await at.get(id)).outcome?.errorInfo, null);
  });

  test("A10-14: a failing workspace keeps no other from running", async () => {
    const at = workspaceFixture();
    const { start } = at.machines;
    at.machines.start = (spec, fixture) =>
      spec.imageRef === "no-such:image"
        ? Promise.reject(new DaybookError("not_found", "There is no such image: name another."))
        : start(spec, fixture);
    await at.node();
    const bad = await at.make("RUNNING", { name: "bad", imageRef: "no-such:image" });
    await at.pass(10 * minuteMs);
    assert.equal((await at.get(bad)).state, "error");
    assert.match((await at.get(bad)).outcome?.errorInfo?.message ?? "", /no such image/);
    const good = await at.make("RUNNING", { name: "good" });
    await at.pass(30_000);
    assert.equal(await levelOf(at, good), up);
  });

  test("at most ten operations run at once on a node, the others follow, and are observed meanwhile", async () => {
    const at = workspaceFixture();
    const { volumes, list } = at.machines;
    let [running, most, listed] = [0, 0, 0];
    const provision: typeof volumes.provision = async (...volume) => {
      running += 1;
      most = Math.max(most, running);
      await sleep(at.clock, 2 * minuteMs);
      await volumes.provision(...volume);
      running -= 1;
    };
    const counted: typeof list = (...given) => {
      listed += 1;
      return list(...given);
    };
    at.machines = { ...at.machines, volumes: { ...volumes, provision }, list: counted };
    await at.node();
    const ready = await at.make("STANDBY", { name: "ready" });
    await at.pass(3 * minuteMs);
    assert.equal(await levelOf(at, ready), asleep);
    const names = Array.from({ length: 25 }, (_, index) => `box-${index}`);
    const ids: string[] = [];
    for (const name of names) ids.push(await at.make("STANDBY", { name }));
    await at.pass(minuteMs);
    assert.deepEqual([running, most], [10, 10]);
    const before = listed;
    await at.pass(minuteMs);
    assert.ok(listed > before, "the one that is ready was observed");
    await at.pass(5 * minuteMs);
    assert.deepEqual([running, most], [0, 10]);
    for (const id of ids) assert.equal(await levelOf(at, id), asleep);
  });

  test("A10-16: an empty home is archived and restored", async () => {
    const at = workspaceFixture();
    await at.node();
    const id = await at.make("STANDBY", { memo: "" });
    await at.pass(30_000);
    await at.ask(id, "PENDING");
    await at.pass(30_000);
    await at.ask(id, "STANDBY");
    await at.pass(30_000);
    assert.equal(await levelOf(at, id), asleep);
    assert.equal(at.engine.contentOf(id), "");
    assert.equal((await at.get(id)).body.memo, "");
  });

  test("A10-18: of two nodes, one does an operation, once", async () => {
    const at = workspaceFixture();
    await at.node("n1");
    await at.node("n2");
    const id = await at.make("RUNNING");
    const task = await at.runIn("dev");
    await at.pass(2 * minuteMs);
    assert.equal(await levelOf(at, id), up);
    assert.deepEqual(at.acts, ["provision", "start"]);
    assert.equal((await at.task(task)).state, "completed");
    assert.deepEqual(
      at.runner.jobs.map((job) => job.workspaceId),
      [id],
    );
  });

  test("a task waits for a workspace that stops while the task reads the ledger", async () => {
    const at = workspaceFixture();
    const { run } = at.runner;
    const ranIn: unknown[] = [];
    at.runner.run = (job, fixture) => {
      ranIn.push(at.engine.at(id).machine);
      return run(job, fixture);
    };
    await at.node();
    const id = await at.make("STANDBY");
    await at.pass(30_000);
    let reads = 0;
    at.fault = (verb) => {
      if (verb !== "read") return;
      reads += 1;
      // The task was woken because its workspace runs.
      if (at.engine.at(id).machine === "running" && ranIn.length === 0 && reads < 3)
        at.engine.failMachine();
    };
    const task = await at.runIn("dev");
    await at.pass(5 * minuteMs);
    assert.ok(reads > 0);
    assert.equal((await at.task(task)).state, "completed");
    assert.deepEqual(ranIn, ["running"]);
  });

  test("A10-19: a failed write of progress does not undo the operation", async () => {
    const at = workspaceFixture();
    await at.node();
    const id = await at.make("STANDBY");
    await at.pass(30_000);
    let keeps = 0;
    at.fault = (verb) => {
      if (verb !== "keep") return;
      keeps += 1;
      if (keeps === 2) throw new DaybookError("unavailable", "The store is down.");
    };
    await at.ask(id, "RUNNING");
    await at.pass(30_000);
    assert.ok(keeps >= 2);
    assert.equal(await levelOf(at, id), up);
    assert.equal((await at.get(id)).outcome?.errorCount, 0);
  });

  test("an unreachable ledger is not an error of the workspace", async () => {
    const at = workspaceFixture();
    await at.node();
    const id = await at.make("STANDBY");
    await at.pass(30_000);
    let left = 6;
    at.fault = (verb) => {
      if (verb !== "keep" || left === 0) return;
      left -= 1;
      throw new DaybookError("unavailable", "The store is down.");
    };
    await at.ask(id, "PENDING");
    await at.pass(5 * minuteMs);
    assert.equal(left, 0);
    assert.equal(await levelOf(at, id), away);
    assert.deepEqual(await at.notices(), []);
  });

  test("nothing is destroyed by a node whose lease may be another's", async () => {
    const at = workspaceFixture();
    const { get } = at.archives;
    const { remove } = at.machines.volumes;
    const fences: (number | undefined)[] = [];
    const note = async (): Promise<void> => void fences.push((await at.get(id)).lease?.fence);
    let reads = 0;
    at.archives.get = async (...asked) => {
      const bytes = await get(...asked);
      reads += 1;
      if (reads !== 3) return bytes; // it is read back, then its meta, then all of it
      await note();
      at.clock.step(minuteMs); // as after a closed lid
      return bytes;
    };
    at.machines.volumes.remove = async (...asked) => {
      await note();
      return remove(...asked);
    };
    await at.node();
    const id = await at.make("STANDBY");
    await at.pass(30_000);
    await at.ask(id, "PENDING");
    await at.pass(2 * minuteMs);
    assert.equal(await levelOf(at, id), away);
    const [stepped = 0, removed = 0] = fences;
    assert.ok(removed > stepped, `removed under the claim ${removed}, and ${stepped} was in doubt`);
  });

  test("errors are cleared after a success: the next ones count from one", async () => {
    const at = workspaceFixture();
    const { start } = at.machines;
    let left = 3;
    at.machines.start = (...asked) => {
      left -= 1;
      return left >= 0 ? Promise.reject(new DaybookError("busy", "Not now.")) : start(...asked);
    };
    await at.node();
    const id = await at.make("RUNNING", { standbyTtlSeconds: 86_400 });
    await at.pass(5 * minuteMs);
    assert.equal(await levelOf(at, id), up);
    left = 3;
    at.engine.failMachine();
    await at.pass(5 * minuteMs);
    assert.equal(left, -1);
    assert.equal(await levelOf(at, id), up);
  });

  test("an archive from before a recovery does not replace later data", async () => {
    const at = workspaceFixture();
    await at.node();
    const id = await at.make("RUNNING");
    await at.pass(30_000);
    const { remove } = at.machines.volumes;
    let isBroken = true;
    at.machines.volumes.remove = (...asked) =>
      isBroken ? Promise.reject(new DaybookError("busy", "It is in use.")) : remove(...asked);
    await at.ask(id, "PENDING");
    await at.pass(10 * minuteMs);
    assert.equal((await at.get(id)).state, "error");
    isBroken = false;
    await at.ask(id, "RUNNING");
    await at.recover(id);
    await at.pass(30_000);
    const used = at.engine.use();
    await at.ask(id, "PENDING");
    await at.pass(30_000);
    assert.equal(await levelOf(at, id), away);
    await at.ask(id, "STANDBY");
    await at.pass(30_000);
    assert.equal(at.engine.contentOf(id), used?.content);
  });
});

async function* oneByte(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("x");
}

/** Waits for something that needs time to pass. */
async function during<T>(at: WorkspaceFixture, doing: Promise<T>): Promise<T> {
  await at.pass(30_000);
  return doing;
}
