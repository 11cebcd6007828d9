import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as z from "zod";
import { testDaybook, type TestDaybook } from "../../app/testing-kit/testing-kit.ts";
import { hasCode } from "../../platform/errors.ts";
import { task } from "../tasks/function.ts";

const report = task({ name: "report", input: z.object({}), run: () => "three are open" });
const fails = task({
  name: "fails",
  input: z.object({}),
  run() {
    throw new Error("no disk");
  },
});
const waits = task({
  name: "waits",
  input: z.object({}),
  run: (_, ctx) => ctx.answer ?? ctx.ask("Send it?", { choices: ["yes", "no"] }),
});

async function begin(language: "en" | "ko" = "en"): Promise<TestDaybook> {
  const tasks = [report, fails, waits];
  return testDaybook({ tasks, language, now: "2026-11-16T08:00[Asia/Seoul]" });
}

/** The newest run of a schedule. */
async function newest(t: TestDaybook, name: string): Promise<string> {
  const { id } = (await t.tasks(name)).at(-1) ?? { id: "" };
  assert.notEqual(id, "");
  return id;
}

/** The text, with each id as ID and each node as NODE. */
async function told(t: TestDaybook, which: string): Promise<string> {
  const text = await t.explain(which);
  return text
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, "ID")
    .replaceAll(/ on \S+ left/g, " on N left");
}

const hourly = { when: "every 1h", run: { task: "report", input: {} } };

describe("explain of a schedule", () => {
  test("takes its name, and shows its newest runs and its next time", async () => {
    const t = await begin();
    await t.createSchedule({ ...hourly, name: "Standup" });
    assert.match(await told(t, "standup"), /^ {2}runs {6}It has not run yet\.$/m);
    await t.advance("4 hours");
    assert.equal(
      await told(t, "standup"),
      `schedule "Standup" ID  active
  request   by me on Mon 16 Nov 2026 08:00:00
  time      every 1 h
  runs      run 4 (ID) of "Standup", completed on Mon 16 Nov 2026 12:00:00
  runs      run 3 (ID) of "Standup", completed on Mon 16 Nov 2026 11:00:00
  runs      run 2 (ID) of "Standup", completed on Mon 16 Nov 2026 10:00:00
  next      due Mon 16 Nov 2026 13:00:00 (in 1 h)`,
    );
  });

  test("walks from slot to run to message to receipt, and back", async () => {
    const t = await begin();
    await t.createSchedule({ ...hourly, name: "standup" });
    await t.advance("2 hours");
    const receipt = 'receipt {"session":"test","acked_at":"2026-11-16T01:00:00.000Z"}';
    const slot =
      "slot Mon 16 Nov 2026 10:00:00 Asia/Seoul (2026-11-16T01:00:00Z), started 0 ms after it was due";
    assert.equal(
      await told(t, await newest(t, "standup")),
      `run 2 (ID) of 'standup'  completed Mon 16 Nov 2026 10:00:00 Asia/Seoul
  message   three are open
  cause     the schedule "standup", every 1 h, which is active
  cause     created by me on Mon 16 Nov 2026 08:00:00
  time      ${slot}
  attempts  1 on N left it completed after 0 ms
  sent      notification ID  delivered Mon 16 Nov 2026 10:00:00 to inbox:me, ${receipt}`,
    );
    assert.equal(
      await told(t, t.outbox[1]?.id ?? ""),
      `notification ID  delivered Mon 16 Nov 2026 10:00:00 Asia/Seoul to inbox:me, ${receipt}
  message   three are open
  cause     run 2 (ID) of "standup", completed on Mon 16 Nov 2026 10:00:00
  cause     ${slot}
  cause     the schedule "standup", every 1 h, which is active
  cause     created by me on Mon 16 Nov 2026 08:00:00
  request   by me on Mon 16 Nov 2026 10:00:00
  time      Mon 16 Nov 2026 10:00:00 Asia/Seoul, typed as "now", delivered 0 ms later
  rules     the output of its runs is always sent
  attempts  1 on N left it delivered after 0 ms`,
    );
  });

  test("of a skipped slot shows the budget of that day", async () => {
    const t = await begin();
    await t.createSchedule({ ...hourly, name: "frugal", budget: { runs_per_day: 2 } });
    await t.advance("1 hour");
    assert.match(await told(t, "frugal"), /^ {2}rules {5}budget of 2026-11-16: 1 of 2 runs$/m);
    await t.advance("2 hours");
    const skipped = await newest(t, "frugal");
    assert.match(
      await told(t, skipped),
      /^ {2}rules {5}the budget of that day was used up · budget of 2026-11-16: 2 of 2 runs$/m,
    );
    assert.match(await told(t, "frugal"), /: 2 of 2 runs, used up: no more runs that day$/m);
    await t.advance("14 hours");
    assert.match(await told(t, "frugal"), /^ {2}rules {5}budget of 2026-11-17: 2 of 2 runs, used/m);
    assert.match(await told(t, skipped), /budget of 2026-11-16: at most 2 runs$/m);
  });

  test("shows its pauses and who resumed it", async () => {
    const t = await begin();
    await t.createSchedule({ ...hourly, name: "standup" });
    await t.advance("1 hour");
    const jun = t.as({ by: "jun" });
    await jun.pauseSchedule({ id: "standup", until: "tomorrow 9:30", reason: "holiday" });
    await t.advance("3 hours");
    const rest = "paused by jun since Mon 16 Nov 2026 09:00:00, until Tue 17 Nov 2026 09:30:00";
    const text = await told(t, "standup");
    assert.ok(text.includes(`  rules     ${rest} (holiday)\n`), text);
    assert.match(text, /^ {2}next {6}due Tue 17 Nov 2026 10:00:00 \(in 22 h\)$/m);
    const skipped = await newest(t, "standup");
    const why = "its schedule was paused";
    assert.ok((await told(t, skipped)).endsWith(`  rules     ${why} · ${rest} (holiday)`));
    await t.resumeSchedule({ id: "standup" });
    await t.advance("1 hour");
    const over = "until Mon 16 Nov 2026 12:00:00";
    const past = `${why} · paused by jun since Mon 16 Nov 2026 09:00:00, ${over}`;
    assert.ok((await told(t, skipped)).endsWith(`  rules     ${past}`));
    assert.match(
      await told(t, "standup"),
      /^ {2}changes {3}paused by jun on .* 09:00:00 · resumed by me on .* 12:00:00$/m,
    );
  });

  test("shows its pause after more slots than are listed", async () => {
    const t = await begin();
    await t.createSchedule({ ...hourly, when: "every 1m", name: "busy" });
    await t.as({ by: "jun" }).pauseSchedule({ id: "busy", reason: "too loud" });
    await t.advance("9 hours");
    const text = await told(t, "busy");
    const rest = "paused by jun since Mon 16 Nov 2026 08:00:00, until it is resumed (too loud)";
    assert.ok(text.includes(`  rules     ${rest}\n`), text);
    assert.match(
      text,
      /^ {2}next {6}nothing until you resume it with daybook schedule resume busy$/m,
    );
  });

  test("shows a pause of everything", async () => {
    const t = await begin();
    const { id } = await t.remind({ message: "hi", at: "+2h" });
    await t.createSchedule({ ...hourly, name: "standup" });
    await t.as({ by: "jun" }).pauseEverything({ until: "tomorrow 9am", reason: "moving" });
    const rest =
      'it waits: "all" is paused by jun since Mon 16 Nov 2026 08:00:00, until Tue 17 Nov 2026 09:00:00 (moving)';
    for (const which of [id, "standup"]) {
      assert.ok((await told(t, which)).endsWith(`  next      ${rest}`));
    }
  });

  test("of a failure shows the reason, and that one failure sends no notice", async () => {
    const t = await begin();
    const run = { task: "fails", input: {} };
    const counts = { notify_after_failures: 2, disable_after_failures: 3 };
    await t.createSchedule({ ...hourly, name: "broken", run, ...counts });
    await t.advance("1 hour");
    const first = await told(t, await newest(t, "broken"));
    assert.match(first, /^run 1 \(ID\) of 'broken' {2}failed .* 09:00:00 Asia\/Seoul: .*no disk$/m);
    assert.match(first, /^ {2}sent {6}nothing: failures are reported once, after 2 in a row$/m);
    await t.advance("1 hour");
    assert.match(
      await told(t, await newest(t, "broken")),
      /^ {2}sent {6}notification ID {2}delivered Mon 16 Nov 2026 10:00:00 to inbox:me, receipt /m,
    );
    await t.advance("1 hour");
    const text = await told(t, "broken");
    assert.match(text, /^ {2}rules {5}disabled after 3 consecutive failures$/m);
    assert.match(
      text,
      /^ {2}runs {6}3 failures in a row\n {2}changes {3}disabled on .* 11:00:00$/m,
    );
    assert.match(
      text,
      /^ {2}next {6}nothing until you resume it with daybook schedule resume broken$/m,
    );
  });

  test("names the run that was still live, and its question", async () => {
    const t = await begin();
    const run = { task: "waits", input: {} };
    await t.createSchedule({ ...hourly, name: "asking", run });
    await t.advance("2 hours");
    assert.match(
      await told(t, await newest(t, "asking")),
      /^ {2}rules {5}the previous run was still running: run 1 \(ID\) of "asking", needs_human$/m,
    );
    const [first] = await t.tasks("asking");
    assert.match(
      await told(t, first?.id ?? ""),
      /^ {2}rules {5}It asks: Send it\? \(yes \/ no\) To answer: daybook run answer ID …$/m,
    );
  });

  test("of a run without output shows the reason", async () => {
    const t = await begin();
    const policies = [
      ["conditional", "the run neither started with [NOTIFY] nor returned notify: true"],
      ["never", "the output of its runs is never sent"],
    ] as const;
    for (const [notify, why] of policies) {
      await t.createSchedule({ ...hourly, name: notify, notify });
      await t.advance("1 hour");
      const text = await told(t, await newest(t, notify));
      assert.ok(text.endsWith(`  sent      nothing: ${why}`), text);
    }
  });

  test("of a deleted schedule shows who deleted it, and why", async () => {
    const t = await begin();
    await t.createSchedule({ ...hourly, name: "standup" });
    await t.as({ by: "jun" }).deleteSchedule({ id: "standup", reason: "we talk\nnow" });
    assert.match(await told(t, "standup"), /cancelled by jun on .* 08:00:00: we talk now$/m);
  });

  test("refuses an ambiguous name and an unknown one", async () => {
    const t = await begin();
    const ids: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      ids.unshift((await t.createSchedule({ ...hourly, name: "twice" })).id);
      await t.deleteSchedule({ id: ids[0] ?? "" });
    }
    await assert.rejects(
      t.explain("twice"),
      (error) =>
        hasCode(error, "conflict") &&
        error.message ===
          `2 schedules called "twice" have ended. Use an id, the newest first: ${ids.join(", ")}.`,
    );
    const { id } = await t.createSchedule({ ...hourly, name: "twice" });
    assert.ok((await t.explain("twice")).startsWith(`schedule "twice" ${id}  active`));
    const named = await t.createSchedule({ ...hourly, name: id });
    await assert.rejects(
      t.explain(id),
      (error) =>
        hasCode(error, "conflict") &&
        error.message ===
          `"${id}" is the id of a schedule and the name of a schedule: rename that one, or use its id, ${named.id}.`,
    );
    await assert.rejects(t.explain("thrice"), (error) => hasCode(error, "not_found"));
  });

  test("has the same lines in Korean", async () => {
    const t = await begin("ko");
    await t.createSchedule({ ...hourly, name: "frugal", budget: { runs_per_day: 1 } });
    await t.advance("2 hours");
    await t.pauseSchedule({ id: "frugal", until: "내일 오전 9시", reason: "휴가" });
    assert.equal(
      await told(t, "frugal"),
      `예약 "frugal" ID  일시 정지
  요청  me, 2026년 11월 16일 (월) 오전 8:00:00
  시각  1시간마다
  규칙  2026년 11월 16일 (월) 오전 10:00:00부터 2026년 11월 17일 (화) 오전 9:00:00까지 일시 정지: me (휴가) · 2026-11-16 예산: 실행 1 중 1 사용, 다 써서 이날은 더 실행하지 않음
  실행  "frugal" 실행 2 (ID), 건너뜀 2026년 11월 16일 (월) 오전 10:00:00: 그날 예산을 다 썼음
  실행  "frugal" 실행 1 (ID), 완료 2026년 11월 16일 (월) 오전 9:00:00
  변경  2026년 11월 16일 (월) 오전 10:00:00 me: 일시 정지
  다음  2026년 11월 17일 (화) 오전 9:00:00 예정 (23시간 뒤)`,
    );
    assert.match(
      await told(t, await newest(t, "frugal")),
      /^ {2}규칙 {2}그날 예산을 다 썼음 · 2026-11-16 예산: 실행 1 중 1 사용$/m,
    );
  });
});
