import assert from "node:assert/strict";
import { test } from "node:test";
import { busyMs, type Marker, type Rig } from "./rig.ts";

const state = "✓ 완료 <b>*1*</b> & _2_";
const noMarks = "this channel shows no marks";

/** The contract of channels that can mark a sent message. */
export function markCases(marker: Marker): void {
  shownCases(marker);
  failedCases(marker);
}

function shownCases(marker: Marker): void {
  void test("a mark replaces the buttons of the sent message", async (t) => {
    const { rig, sent, mark } = await marker(t, "**약** 먹을 시간");
    if (rig.marked === undefined) return t.skip(noMarks);
    assert.ok(rig.marked().buttons > 0, "the message had buttons");
    const done = await mark({ mark: state });
    assert.equal(done.result, "delivered", JSON.stringify(done));
    assert.deepEqual(rig.marked(), { text: `약 먹을 시간\n\n${state}`, buttons: 0 });
    assert.equal(rig.seen?.().length, 1, "a mark sends no message");
    assert.notDeepEqual(done, sent, "a mark's request has no message key");
  });
  void test("a repeated mark changes nothing, and another mark replaces it", async (t) => {
    const { rig, mark } = await marker(t, "회의");
    if (rig.marked === undefined) return t.skip(noMarks);
    for (const words of ["first", "first", "second"]) {
      const done = await mark({ mark: words });
      assert.equal(done.result, "delivered", JSON.stringify(done));
      assert.deepEqual(rig.marked(), { text: `회의\n\n${words}`, buttons: 0 });
    }
  });
  void test("a long message has its mark at its end, even on a full last part", async (t) => {
    for (const length of [1_000, 1_990, 2_000, 2_990, 3_000, 4_090, 4_096, 9_000]) {
      const { rig, mark } = await marker(t, "가".repeat(length));
      if (rig.marked === undefined) return t.skip(noMarks);
      const before = rig.seen?.();
      const done = await mark({ mark: state });
      assert.equal(done.result, "delivered", JSON.stringify(done));
      const { text, buttons } = rig.marked();
      assert.match(text, /^가+…?\n\n✓ 완료/u);
      assert.ok(
        text.length > (before?.at(-1)?.length ?? Infinity) - 200,
        "little of the last part is cut",
      );
      assert.equal(buttons, 0);
      assert.deepEqual(
        rig.seen?.().slice(0, -1),
        before?.slice(0, -1),
        "the other parts are unchanged",
      );
    }
  });
}

function failedCases(marker: Marker): void {
  void test("a rate-limited mark is shown at the peer's time", async (t) => {
    const { rig, mark } = await marker(t);
    if (rig.marked === undefined || rig.fails?.busy === undefined) return t.skip(noMarks);
    await rig.fails.busy(0);
    const first = await mark({ mark: state });
    assert.equal(first.result, "retry", JSON.stringify(first));
    assert.equal("afterMs" in first ? first.afterMs : undefined, busyMs);
    assert.equal((await mark({ mark: state })).result, "delivered");
    assertShown(rig);
  });
  void test("a lost answer to a mark is unknown, and the mark is shown once", async (t) => {
    const { rig, mark } = await marker(t);
    if (rig.marked === undefined || rig.fails?.lost === undefined) return t.skip(noMarks);
    await rig.fails.lost(0);
    const first = await mark({ mark: state });
    assert.equal(first.result, "unknown", JSON.stringify(first));
    assert.equal((await mark({ mark: state })).result, "delivered");
    assertShown(rig);
  });
  void test("a mark on a deleted message is not a failure", async (t) => {
    const { rig, mark, sent } = await marker(t);
    if (rig.marked === undefined) return t.skip(noMarks);
    const receipt = { ...(sent as { receipt: object }).receipt, messages: [rig.missing ?? ""] };
    const done = await mark({ mark: state, receipt });
    assert.equal(done.result, "delivered", JSON.stringify(done));
    assert.ok("receipt" in done && "gone" in (done.receipt as object), JSON.stringify(done));
    assert.ok(!rig.marked().text.includes("완료"));
  });
  void test("a closed chat rejects a mark", async (t) => {
    const { rig, mark } = await marker(t);
    if (rig.marked === undefined || rig.fails?.refused === undefined) return t.skip(noMarks);
    await rig.fails.refused();
    const done = await mark({ mark: state });
    assert.equal(done.result, "rejected", JSON.stringify(done));
  });
  void test("an abort before a mark sends nothing, and the mark can be retried", async (t) => {
    const { rig, mark } = await marker(t);
    if (rig.marked === undefined) return t.skip(noMarks);
    const before = rig.sentCount();
    const sent = await mark({ mark: state }, { signal: AbortSignal.abort() });
    assert.equal(sent.result, "retry", JSON.stringify(sent));
    assert.equal(rig.sentCount(), before);
  });
  void test("no failure of the peer throws for a mark or counts as a delivery", async (t) => {
    const { rig } = await marker(t);
    if (rig.marked === undefined) return t.skip(noMarks);
    for (const name of Object.keys(rig.faults)) {
      const one = await marker(t);
      await one.rig.faults[name]?.();
      const done = await one.mark({ mark: state });
      assert.notEqual(done.result, "delivered", `${name}: ${JSON.stringify(done)}`);
    }
  });
}

function assertShown({ marked }: Rig): void {
  const { text = "", buttons } = marked?.() ?? {};
  assert.equal(text.split("완료").length, 2, text);
  assert.equal(buttons, 0);
}
