import assert from "node:assert/strict";
import { test } from "node:test";
import { busyMs, type Marker, type Rig } from "./rig.ts";

const state = "✓ 완료 <b>*1*</b> & _2_";
const noMarks = "what was sent stays as it is";

/** What a channel promises that can show a new state on what was sent. */
export function markCases(marker: Marker): void {
  shownCases(marker);
  failedCases(marker);
}

function shownCases(marker: Marker): void {
  void test("a mark is shown on the message that was sent, in place of its buttons", async (t) => {
    const { rig, sent, mark } = await marker(t, "**약** 먹을 시간");
    if (rig.marked === undefined) return t.skip(noMarks);
    assert.ok(rig.marked().buttons > 0, "there were some");
    const done = await mark({ mark: state });
    assert.equal(done.result, "delivered", JSON.stringify(done));
    assert.deepEqual(rig.marked(), { text: `약 먹을 시간\n\n${state}`, buttons: 0 });
    assert.equal(rig.seen?.().length, 1, "and no message is made for it");
    assert.notDeepEqual(done, sent, "its proof is not the one of a message");
  });
  void test("the same mark twice is as once, and another takes its place", async (t) => {
    const { rig, mark } = await marker(t, "회의");
    if (rig.marked === undefined) return t.skip(noMarks);
    for (const words of ["first", "first", "second"]) {
      const done = await mark({ mark: words });
      assert.equal(done.result, "delivered", JSON.stringify(done));
      assert.deepEqual(rig.marked(), { text: `회의\n\n${words}`, buttons: 0 });
    }
  });
  void test("a long message has its mark at its end, however full its last part is", async (t) => {
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
        "hardly any of it is gone",
      );
      assert.equal(buttons, 0);
      assert.deepEqual(
        rig.seen?.().slice(0, -1),
        before?.slice(0, -1),
        "the other parts are left alone",
      );
    }
  });
}

function failedCases(marker: Marker): void {
  void test("what the peer is too busy to show is shown when it said", async (t) => {
    const { rig, mark } = await marker(t);
    if (rig.marked === undefined || rig.fails?.busy === undefined) return t.skip(noMarks);
    await rig.fails.busy(0);
    const first = await mark({ mark: state });
    assert.equal(first.result, "retry", JSON.stringify(first));
    assert.equal("afterMs" in first ? first.afterMs : undefined, busyMs);
    assert.equal((await mark({ mark: state })).result, "delivered");
    assertShown(rig);
  });
  void test("an answer to a mark that is lost leaves it unknown, and it is shown once", async (t) => {
    const { rig, mark } = await marker(t);
    if (rig.marked === undefined || rig.fails?.lost === undefined) return t.skip(noMarks);
    await rig.fails.lost(0);
    const first = await mark({ mark: state });
    assert.equal(first.result, "unknown", JSON.stringify(first));
    assert.equal((await mark({ mark: state })).result, "delivered");
    assertShown(rig);
  });
  void test("there is nothing to show on a message that is gone, and that is no failure", async (t) => {
    const { rig, mark, sent } = await marker(t);
    if (rig.marked === undefined) return t.skip(noMarks);
    const receipt = { ...(sent as { receipt: object }).receipt, messages: [rig.missing ?? ""] };
    const done = await mark({ mark: state, receipt });
    assert.equal(done.result, "delivered", JSON.stringify(done));
    assert.ok("receipt" in done && "gone" in (done.receipt as object), JSON.stringify(done));
    assert.ok(!rig.marked().text.includes("완료"));
  });
  void test("a place that is closed refuses a mark for good", async (t) => {
    const { rig, mark } = await marker(t);
    if (rig.marked === undefined || rig.fails?.refused === undefined) return t.skip(noMarks);
    await rig.fails.refused();
    const done = await mark({ mark: state });
    assert.equal(done.result, "rejected", JSON.stringify(done));
  });
  void test("told to stop before a mark: nothing leaves, and it can be tried again", async (t) => {
    const { rig, mark } = await marker(t);
    if (rig.marked === undefined) return t.skip(noMarks);
    const before = rig.departures();
    const sent = await mark({ mark: state }, { signal: AbortSignal.abort() });
    assert.equal(sent.result, "retry", JSON.stringify(sent));
    assert.equal(rig.departures(), before);
  });
  void test("each trouble of the peer with a mark is an answer, and none is a delivery", async (t) => {
    const { rig } = await marker(t);
    if (rig.marked === undefined) return t.skip(noMarks);
    for (const name of Object.keys(rig.troubles)) {
      const one = await marker(t);
      await one.rig.troubles[name]?.();
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
