import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { chatFixture, type ChatFixture } from "../../../test/chat-fixture.ts";
import { setProfile } from "../../features/accounts/operations/profile.ts";
import { notificationKind } from "../../features/notifications/kind.ts";
import { scheduleKind } from "../../features/schedules/kind.ts";
import { taskKind } from "../../features/tasks/kind.ts";
import type { Ran } from "../../features/tasks/runner.ts";
import { is } from "../../kernel/kind.ts";
import { readMarkdown } from "../../platform/markup/read.ts";
import { visible } from "../../platform/markup/runs.ts";
import { fakeRunner, runFixture, type RunFixture } from "../../testing/run-fixture.ts";

interface Scenario extends RunFixture {
  fixture: ChatFixture;
  /** What waits to be said was said as this message of the chat 7. */
  said(message: number): Promise<void>;
}

/** A node that runs what was asked, and Mina in a chat. */
async function scenario(answer: (words: readonly string[]) => Ran, output = ""): Promise<Scenario> {
  const at = runFixture();
  const runner = fakeRunner((job, { write }) => {
    write(output);
    return answer(job.answers.map((each) => each.answer));
  });
  await at.node(runner);
  const fixture = chatFixture({ ledger: at.ledger, now: at.kernel.now });
  const said = async (message: number): Promise<void> => {
    const request = { kind: notificationKind, holder: "n", leaseMs: 60_000, limit: 1 } as const;
    const [record] = (await at.ledger.work.claim(request)).records;
    const { id, revision, lease } = record ?? assert.fail("nothing waits");
    const receipt = { chat: 7, messages: [message] };
    const outcome = { receipt, reason: null, maybeDelivered: false };
    const settle = { id, revision, fence: lease.fence, ends: "delivered", outcome } as const;
    await at.ledger.work.settle([settle]);
  };
  return Object.assign(at, { fixture, said });
}

function seen(text: string | undefined): string {
  return visible(readMarkdown(text ?? ""));
}

const completed = (): Ran => ({ result: "completed", exit: 0 });
const asking = (answers: readonly string[]): Ran =>
  answers.length === 0
    ? { result: "asks", question: "Send it?", choices: ["Yes", "No"] }
    : { result: "completed", said: `they said ${answers.join()}` };

describe("/runs and /output", () => {
  test("show what ran, by name, by id, and of what was said", async () => {
    const at = await scenario(completed, "one\n```\n**two**\n");
    const { fixture } = at;
    assert.equal(await fixture.text("/runs"), "There are no schedules.");
    const schedule = await at.schedule({ name: "night *backup*", target: "telegram:7" });
    assert.match(
      seen(await fixture.text("/runs night *backup*")),
      /\nThe schedule has not run yet\.$/,
    );
    const id = await at.slot(schedule);
    await at.pass(1_000);
    await at.said(41);
    const short = id.slice(-8);
    for (const typed of ["night *backup*", schedule.id.slice(-8), schedule.id]) {
      const [name, line] = seen(await fixture.text(`/runs ${typed}`)).split("\n");
      assert.equal(name, "night *backup*");
      assert.match(line ?? "", new RegExp(`completed: one .* ${short}$`));
    }
    assert.match(seen(await fixture.text("/runs", { replyTo: 41 })), new RegExp(short));
    assert.match(seen(await fixture.text("/runs")), /^Which schedule\?.*\n↻ night \*backup\*: /);
    const whole = "one\n```\n**two**";
    assert.equal(seen(await fixture.text(`/output ${short}`)), whole);
    assert.equal(seen(await fixture.text("/output", { replyTo: 41 })), whole);
    assert.match(await fixture.text("/output"), /^Which one\?/);
    assert.match(seen(await fixture.text("/output 00000000")), /^There is no "00000000"/);
    assert.match(seen(await fixture.text(`/output ${short}`, { from: "8" })), /^There is no/);
    assert.match(seen(await fixture.text("/runs nothing")), /^There is no schedule "nothing"/);
  });
  test("say that a run is at work", async () => {
    const at = await scenario(completed);
    await at.slot(await at.schedule({ run: { task: "other", input: null } }));
    const claim = { kind: taskKind, queue: "task@other", holder: "n2", leaseMs: 60_000 } as const;
    assert.equal((await at.ledger.work.claim({ ...claim, limit: 1 })).records.length, 1);
    assert.match(seen(await at.fixture.text("/runs backup")), / at work /);
  });
  test("show the beginning of much, and say how much is left", async () => {
    const at = await scenario(completed, "x".repeat(5_000));
    const id = await at.slot(await at.schedule());
    await at.pass(1_000);
    const text = seen(await at.fixture.text(`/output ${id}`));
    const [, command = ""] = /… and 1000 more characters: (.*)$/.exec(text) ?? [];
    assert.equal(command, `/output ${id.slice(-8)} 2`);
    assert.equal(seen(await at.fixture.text(command)), "x".repeat(1_000));
    assert.doesNotMatch(text, /daybook/);
    const quiet = await scenario(completed);
    const other = await quiet.slot(await quiet.schedule());
    await quiet.pass(1_000);
    assert.equal(
      await quiet.fixture.text(`/output ${other}`),
      "No output was stored for this run.",
    );
  });
});

describe("in chats: /pause, /resume, /run, /runs, /output for schedules", () => {
  test("/pause until a time, /resume and /run change it, by name, by id and as a reply", async () => {
    const at = await scenario(completed, "done");
    const { fixture } = at;
    for (const command of ["run", "pause", "resume"]) {
      assert.equal(await fixture.text(`/${command}`), "There are no schedules.");
    }
    const { id } = await at.schedule({ name: "night backup", target: "telegram:7" });
    assert.match(seen(await fixture.text("/pause")), /after \/pause:\n↻ night backup/);

    const paused = seen(await fixture.text("/pause night backup until friday 9am"));
    assert.match(paused, /^⏸ Paused: 'night backup' until .*Fri.*09:00/);
    assert.equal((await at.scheduleOf(id)).state, "paused");
    assert.match(seen(await fixture.text(`/resume ${id.slice(-8)}`)), /^▶ Resumed: 'night backup'/);
    assert.equal((await at.scheduleOf(id)).state, "active");

    assert.match(seen(await fixture.text("/pause night backup 금요일 9시까지")), /Fri.*09:00/);
    assert.match(seen(await fixture.text("/pause night backup")), /until you resume it/);
    await fixture.text("/resume night backup");

    const ran = seen(await fixture.text("/run night backup"));
    assert.match(ran, /^▶ night backup runs now\. To see its output: \/output \w{8}$/);
    await at.pass(1_000);
    assert.equal(seen(await fixture.text(ran.slice(ran.indexOf("/output")))), "done");
    await at.said(41);
    assert.match(seen(await fixture.text("/pause", { replyTo: 41 })), /^⏸ Paused: 'night backup'/);
    assert.match(seen(await fixture.text("/run nothing")), /^There is no schedule "nothing"/);
  });
  test("stand in /help, in English and Korean, and another person's stay theirs", async () => {
    const at = await scenario(completed);
    await at.schedule({ name: "night backup" });
    const help = seen(await at.fixture.text("/help"));
    const korean = chatFixture();
    await setProfile.run({ language: "ko" }, korean.mina);
    const koreanHelp = seen(await korean.text("/help"));
    for (const command of ["pause", "resume", "run", "runs", "output"]) {
      assert.match(help, new RegExp(`/${command} \\[?[A-Z]`));
      assert.match(koreanHelp, new RegExp(`/${command} \\[?(예약|실행)`));
      if (command === "output") continue;
      const refused = await at.fixture.text(`/${command} night backup`, { from: "8" });
      assert.match(seen(refused), /^There is no schedule/);
    }
  });
});

describe("the question of a run", () => {
  test("is answered by answering to it, and a command is still a command", async () => {
    const at = await scenario(asking);
    const { fixture } = at;
    const id = await at.slot(await at.schedule({ target: "telegram:7" }));
    await at.pass(1_000);
    await at.said(41);
    assert.equal((await at.task(id)).state, "needs_human");
    assert.match(await fixture.text("/list", { replyTo: 41 }), /^↻|^Nothing/);
    assert.match(seen(await fixture.text("perhaps", { replyTo: 41 })), /none of the choices/);
    assert.match(await fixture.text("Yes"), /^Unknown command/);
    assert.match(await fixture.text("Yes", { replyTo: 41, from: "8" }), /^Unknown command/);
    const among = { replyTo: 41, overheard: true };
    assert.equal(await fixture.text("yes", among), "Answer received. The run continues.");
    await at.pass(1_000);
    assert.equal((await at.task(id)).state, "completed");
    assert.match(seen(await fixture.text("No", { replyTo: 41 })), /^The run asks nothing/);
  });
  test("in a thread is answered by whatever is said next there", async () => {
    const at = await scenario(asking);
    const { fixture } = at;
    const id = await at.slot(await at.schedule({ target: "telegram:7:1" }));
    await at.pass(1_000);
    const inThread = { replyTo: 999, inThread: true, overheard: true };
    assert.deepEqual(await fixture.say("Yes", { address: "7:2", ...inThread }), {});
    assert.deepEqual(await fixture.say("Yes", { address: "7:1", ...inThread, from: "8" }), {});
    assert.equal(
      await fixture.text("Yes", { address: "7:1", ...inThread }),
      "Answer received. The run continues.",
    );
    await at.pass(1_000);
    assert.equal((await at.task(id)).state, "completed");
    assert.deepEqual(await fixture.say("Yes", { address: "7:1", ...inThread }), {});
  });
  test("is answered by its id, and a run is cancelled by it", async () => {
    const at = await scenario(asking);
    const { fixture } = at;
    const schedule = await at.schedule({ name: "brief" });
    const [one, two] = [await at.slot(schedule), await at.slot(schedule, { at: 5 })];
    await at.pass(1_000);
    assert.match(await fixture.text("/answer"), /^Which one\?/);
    assert.match(await fixture.text(`/answer ${one}`), /^Which one\?/);
    assert.equal(
      await fixture.text(`/answer ${one.slice(-8)} No`),
      "Answer received. The run continues.",
    );
    assert.equal(await fixture.text(`/cancel ${two.slice(-8)}`), "✗ Run cancelled: brief");
    await at.pass(1_000);
    assert.deepEqual(
      [(await at.task(one)).state, (await at.task(two)).state],
      ["completed", "cancelled"],
    );
  });
});

describe("/every", () => {
  test("makes what runs again, heard twice once, and tells it here", async () => {
    const fixture = chatFixture();
    const here = { id: "same", address: "-100:7" };
    const text = seen(await fixture.text("/every 평일 오전 9시 뉴스 요약", here));
    assert.match(text, /^↻ .*weekday.*\n뉴스 요약\nNext: .* 09:00 .*\n[\da-f]{8}$/i);
    assert.equal(seen(await fixture.text("/every 평일 오전 9시 뉴스 요약", here)), text);
    const { records } = await fixture.ledger.of("mina", "test").list({ kind: scheduleKind });
    const bodies = records.flatMap((each) => (is(scheduleKind, each) ? [each.body] : []));
    assert.deepEqual(
      bodies.map(({ run, target, origin }) => [run, target, origin]),
      [[{ agent: "뉴스 요약" }, "telegram:-100:7", "telegram:-100:7"]],
    );
  });
  const conditions: [typed: string, goal: string, notify: string, answer: RegExp][] = [
    [
      "weekday 9am look at the sky only if it rains",
      "look at the sky only if it rains",
      "conditional",
      /only if the agent finds a reason/,
    ],
    [
      "평일 9시 하늘을 보고 비가 올 때만 알려줘",
      "하늘을 보고 비가 올 때만 알려줘",
      "conditional",
      /only if/,
    ],
    ["매일 9시 새 글이 있으면만 요약", "새 글이 있으면만 요약", "conditional", /only if/],
    ["every day 9am look --notify conditional", "look", "conditional", /only if/],
    ["every day 9am look —notify never", "look", "never", /kept and not sent/],
    ["--notify always every day 9am x only if y", "x only if y", "always", /Next: /],
    ["every day 9am look", "look", "always", /Next: /],
  ];
  for (const [typed, goal, notify, answer] of conditions) {
    test(`/every and the phrase grammar take a condition: ${typed}`, async () => {
      const fixture = chatFixture();
      assert.match(seen(await fixture.text(`/every ${typed}`)), answer);
      const { records } = await fixture.ledger.of("mina", "test").list({ kind: scheduleKind });
      const bodies = records.flatMap((each) => (is(scheduleKind, each) ? [each.body] : []));
      assert.deepEqual(
        bodies.map((body) => [body.run, body.notify]),
        [[{ agent: goal }, notify]],
      );
    });
  }
  test("says which hour it assumed", async () => {
    const fixture = chatFixture();
    assert.match(
      seen(await fixture.text("/every 평일 3시 뉴스")),
      /^↻ every weekday at 15:00 \(Asia\/Seoul; 15:00 assumed; write 3 am for the morning\)\n/,
    );
  });
  test("says what it misses", async () => {
    const fixture = chatFixture();
    assert.match(await fixture.text("/every"), /How often is missing/);
    assert.match(await fixture.text("/every yesterday 9am look"), /How often is missing/);
    assert.match(await fixture.text("/every tomorrow 9am look"), /How often is missing/);
  });
});
