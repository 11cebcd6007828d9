import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { postgresServer } from "../src/testing/postgres/server.ts";
import { openAiServer } from "../src/testing/runners/openai-server.ts";
import {
  againDaemon,
  againSettings,
  atNewYear,
  type AgainDaemon,
  type Listener,
} from "./again-daemon.ts";

const server = await postgresServer();
after(() => ("missing" in server ? undefined : server.stop()));
const skip = "missing" in server && server.missing;

type Store = [name: string, store: () => Promise<Record<string, string>>, skip: string | false];
const stores: readonly Store[] = [
  ["SQLite", async () => ({}), false],
  [
    "PostgreSQL",
    async () => ({ DAYBOOK_STORE: "missing" in server ? "" : await server.database() }),
    skip,
  ],
];

const everySecond = { type: "cron", expression: "* * * * * *", timezone: "Asia/Seoul" } as const;

/** Sends a message to a listener, which has then received every earlier one too. */
async function hearsOnly(daemon: AgainDaemon, listener: Listener, session?: string): Promise<void> {
  await daemon.ask("POST", "/v1/notifications", { message: "are you there?", at: "+0s" }, session);
  await listener.heard(1);
  assert.deepEqual(listener.messages, ["are you there?"]);
}

/** Pauses the schedule and returns its runs when all have ended. */
async function paused(daemon: AgainDaemon, schedule: string): ReturnType<AgainDaemon["runs"]> {
  await daemon.ask("POST", `/v1/schedules/${schedule}/pause`, {});
  return daemon.until(async () => {
    const runs = await daemon.runs(schedule);
    return runs.some(({ status }) => status === "pending") ? undefined : runs;
  });
}

describe("a schedule made in a session", { timeout: 120_000 }, () => {
  for (const [name, store, skip] of stores) {
    test(
      `${name}: is delivered only there, and its messages wait meanwhile`,
      { skip },
      async (t) => {
        const daemon = await againDaemon(t, againSettings(t, await store()));
        const [listener, sofa, inbox] = await Promise.all(
          ["내 책상", "sofa", undefined].map((session) => daemon.attach(session)),
        );
        assert.ok(listener && sofa && inbox);
        const asked = {
          name: "tick",
          cadence: everySecond,
          run: { command: ["/bin/echo", "tock"] },
        };
        const made = await daemon.ask("POST", "/v1/schedules", asked, "내 책상");
        assert.equal(made["target"], `session:me/${encodeURIComponent("내 책상")}`);
        await listener.heard(1);
        await listener.detach();
        const before = listener.messages.length;
        await daemon.until(async () => {
          const runs = await daemon.runs("tick");
          return runs.filter(({ status }) => status === "completed").length > before || undefined;
        });
        await paused(daemon, "tick");
        const ran = await daemon.until(async () => {
          const runs = await daemon.runs("tick");
          const completed = runs.filter(({ status }) => status === "completed");
          const told = completed.filter(({ notified }) => notified).length;
          assert.ok(told <= before, "told without a receipt");
          return told === before ? completed : undefined;
        });
        const back = await daemon.attach("내 책상");
        await back.heard(ran.length - before);
        await daemon.until(async () => {
          const runs = await daemon.runs("tick");
          return (
            runs.every(({ status, notified }) => status !== "completed" || notified) || undefined
          );
        });
        assert.deepEqual(
          [...listener.messages, ...back.messages],
          ran.map(() => "tock"),
        );
        await hearsOnly(daemon, sofa, "sofa");
        await hearsOnly(daemon, inbox);
      },
    );
  }

  test("the third and fifth failure are reported once, and the schedule is disabled", async (t) => {
    const daemon = await againDaemon(t, againSettings(t));
    const listener = await daemon.attach("desk");
    const command = ["/bin/sh", "-c", "echo the disk is full >&2; exit 3"];
    const asked = { name: "backup", cadence: everySecond, run: { command }, notify: "never" };
    await daemon.ask("POST", "/v1/schedules", asked, "desk");
    const shown = await daemon.until(async () => {
      const now = await daemon.ask("GET", "/v1/schedules/backup");
      return now["status"] === "disabled" ? now : undefined;
    });
    assert.equal(shown["reason"], "disabled after 5 consecutive failures");
    assert.equal(shown["next_run_at"], null);
    await listener.heard(2);
    const notices = [
      "❌ Scheduled task 'backup' has failed 3 times in a row. Latest error: exit 3: the disk is full",
      "⛔ Scheduled task 'backup' was disabled after 5 consecutive failures.",
    ];
    assert.deepEqual(listener.messages, notices);
    const runs = await daemon.runs("backup");
    assert.equal(runs.filter(({ status }) => status === "failed").length, 5);

    await daemon.ask("PATCH", "/v1/schedules/backup", { disable_after_failures: 0 });
    await daemon.ask("POST", "/v1/schedules/backup/resume", {});
    await listener.heard(3);
    await paused(daemon, "backup");
    assert.deepEqual(listener.messages, [...notices, notices[0]], "it counts from the start again");
  });

  test("passes its origin to a schedule created by its run", async (t) => {
    const model = await openAiServer({ key: "sk-fake" });
    t.after(() => model.close());
    const settings = againSettings(t);
    const file = join(settings["DAYBOOK_HOME"] ?? "", "agent.yaml");
    const agent = { baseUrl: model.baseUrl, model: "fake", key: "sk-fake" };
    writeFileSync(file, JSON.stringify({ runners: { agent } }));
    const daemon = await againDaemon(t, { ...settings, DAYBOOK_CONFIG: file });
    const [listener, inbox] = [await daemon.attach("desk"), await daemon.attach()];
    const child = { name: "child", cadence: atNewYear, run: { agent: "say hello" } };
    model.say(
      { calls: [{ name: "schedule_create", input: child }] },
      { text: "made" },
      { text: "hello" },
    );
    const parent = { name: "parent", cadence: atNewYear, run: { agent: "make another" } };
    await daemon.ask("POST", "/v1/schedules", parent, "desk");
    await daemon.ask("POST", "/v1/schedules/parent/run", {});
    await listener.heard(1);
    const made = await daemon.ask("GET", "/v1/schedules/child");
    assert.equal(made["channel_id"], "session");
    assert.equal(made["channel_context_id"], "me/desk");
    await daemon.ask("POST", "/v1/schedules/child/run", {});
    await listener.heard(2);
    assert.deepEqual(listener.messages, ["made", "hello"]);
    await hearsOnly(daemon, inbox);
    const [, , fresh] = model.asked();
    assert.ok(!JSON.stringify(fresh?.messages).includes("make another"), "it was not a fresh run");
  });
});

test("200 KB of Korean and emoji are returned in parts, byte for byte", async (t) => {
  const daemon = await againDaemon(t, againSettings(t));
  const line = "번째 줄: 다람쥐 헌 쳇바퀴에 타고파 🐿️👨‍👩‍👧‍👦🏳️‍🌈\n";
  const script = `for (let n = 0; n < 2100; n++) process.stdout.write(n + ${JSON.stringify(line)})`;
  const all = Array.from({ length: 2_100 }, (_, n) => `${n}${line}`).join("");
  assert.ok(Buffer.byteLength(all) > 200_000);
  const command = [process.execPath, "-e", script];
  const asked = { name: "long", cadence: atNewYear, run: { command }, notify: "never" };
  await daemon.ask("POST", "/v1/schedules", asked);
  await daemon.ask("POST", "/v1/schedules/long/run", {});
  const run = await daemon.until(async () => {
    const [only] = await daemon.runs("long");
    return only?.status === "completed" ? only : undefined;
  });
  const parts: string[] = [];
  for (let offset: number | null = 0; offset !== null;) {
    const path = `/v1/runs/${run.id}/output?offset=${offset}&max_chars=7777`;
    const part: Readonly<Record<string, unknown>> = await daemon.ask("GET", path);
    assert.equal(part["total"], Array.from(all).length);
    parts.push(String(part["chunk"]));
    offset = part["next_offset"] as number | null;
  }
  assert.ok(parts.length > 5);
  assert.ok(parts.every((part) => part.isWellFormed()));
  assert.ok(Buffer.from(parts.join("")).equals(Buffer.from(all)));
});
