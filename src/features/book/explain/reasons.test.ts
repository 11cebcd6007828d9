import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as z from "zod";
import { testDaybook, type TestDaybook } from "../../../app/testing-kit/testing-kit.ts";
import type { Reader } from "../../../kernel/operation.ts";
import { scheduleRuns } from "../../schedules/operations/runs.ts";
import { showSchedule } from "../../schedules/operations/schedules.ts";
import { task } from "../../tasks/function.ts";
import { showRun } from "../../tasks/operations/show.ts";

const slow = task({
  name: "slow",
  input: z.object({}),
  run: (_, { signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    }),
});
const reader: Reader = { language: "ko", zone: "Asia/Seoul", now: 0 };

/** A schedule with two slots: the first takes too long and the second is skipped. */
async function begin(more: object = {}, after = "150 s"): Promise<TestDaybook> {
  const t = await testDaybook({ tasks: [slow], language: "ko", timezone: "Asia/Seoul" });
  const run = { task: "slow", input: {} };
  await t.createSchedule({ name: "slow", when: "every 1m", run, timeout: "90s", ...more });
  await t.advance(after);
  return t;
}

describe("a stored reason is in Korean for a Korean reader", () => {
  test("in the runs of a schedule and in one run", async () => {
    const t = await begin();
    const runs = await t.scheduleRuns({ id: "slow" });
    assert.match(scheduleRuns.render(runs, reader), /건너뜀 .* 앞선 실행이 아직 끝나지 않았음$/m);
    assert.match(scheduleRuns.render(runs, reader), /실패 .* 90초가 지나 멈춤/m);
    const failed = runs.runs.find(({ status }) => status === "failed")?.id ?? "";
    assert.match(
      showRun.render(await t.showRun({ id: failed }), reader),
      /^ {2}이유 +90초가 지나 멈춤$/m,
    );
    assert.match(await t.explain(failed), /: 90초가 지나 멈춤/);
    assert.match(await t.explain("slow"), /실패.*: 90초가 지나 멈춤/);
  });

  test("in waiting runs and in runs that a deletion cancelled", async () => {
    const t = await begin({ overlap: "queue" }, "140 s");
    const waiting = (await t.tasks("slow")).at(-1)?.id ?? "";
    assert.match(await t.explain(waiting), /차례를 기다림/);
    await t.deleteSchedule({ id: "slow" });
    assert.match(await t.explain(waiting), /예약이 삭제됨/);
    assert.doesNotMatch(await t.explain(waiting), /its schedule|it waits/);
  });

  test("in the pause of a schedule, unless a person gave the reason", async () => {
    const t = await begin({ disable_after_failures: 1 });
    const shown = showSchedule.render(await t.showSchedule({ id: "slow" }), reader);
    assert.match(shown, /^ {2}이유 +1번 연속 실패해서 중지됨$/m);
    await t.resumeSchedule({ id: "slow" });
    await t.pauseSchedule({ id: "slow", reason: "holiday" });
    assert.match(
      showSchedule.render(await t.showSchedule({ id: "slow" }), reader),
      /^ {2}이유 +holiday$/m,
    );
  });
});
