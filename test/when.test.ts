import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { signedHeaders } from "../src/platform/signature.ts";
import { skipUnlessIn, spread } from "../src/testing/depth.ts";
import { postgresServer } from "../src/testing/postgres/server.ts";
import { hookSecret, eventScenario, type EventScenario } from "./event-scenario.ts";

const handlers = `
  gen-pr: { subscribes: [github.pr.review_requested], run: { command: [node, soldier.mjs] }, channels: [C2] }
  gen-herald: { subscribes: [slack.app_mention], run: { command: [node, soldier.mjs] }, channels: [C2], retries: 0 }
  gen-shell: { subscribes: [shell.said] }
`;

const server = await postgresServer({ fsync: true });
after(() => ("missing" in server ? undefined : server.stop()));
const noServer = "missing" in server ? server.missing : false;

const inFiles = async (home: string): Promise<string> => `file:${join(home, "book")}`;
type Store = [name: string, url: (home: string) => Promise<string>, skip: string | false];
const stores: readonly Store[] = [
  ["files", inFiles, false],
  ["SQLite", async (home) => `sqlite:${join(home, "book.db")}`, false],
  ["PostgreSQL", async () => ("missing" in server ? "" : server.database()), noServer],
];

const scenarios = ["asked twice", "mention", "ends"] as const;

for (const [nth, [name, store, skip]] of stores.entries()) {
  // A sample has each on SQLite, and another one on each other store.
  const sample = name === "SQLite" ? scenarios : spread(scenarios, 1, nth / stores.length);
  const inSample = (scenario: (typeof scenarios)[number]): { skip: string | false } => ({
    skip: skipUnlessIn(sample, scenario),
  });
  describe(`events on ${name}`, { timeout: 180_000, skip }, () => {
    test(
      "a review requested twice is two events, each in its own thread",
      inSample("asked twice"),
      async (t) => {
        const { github, slack, said, thread } = await eventScenario(t, { store, handlers });
        await github.request(0); // earlier items are not events
        github.notify({ id: "1", updatedAt: Date.now() + 1_000, title: "Fix login" });
        const first = await said(/✅ gen-pr: reviewed Fix login/);
        github.notify({ id: "1", updatedAt: Date.now() + 2_000, title: "Fix login again" });
        const second = await said(/✅ gen-pr: reviewed Fix login again/);
        for (const end of [first, second]) {
          const [start, ...rest] = thread(end.thread ?? assert.fail("it is in no thread"));
          assert.match(start ?? "", /📋 gen-pr: github\.pr\.review_requested/);
          assert.deepEqual(rest, [end.text]);
        }
        assert.equal(slack.messages.length, 4);
      },
    );

    test(
      "a mention is handled in its own thread, where a reply answers a question",
      inSample("mention"),
      async (t) => {
        const { say, said, thread, slack } = await eventScenario(t, { store, handlers });
        const root = await say("@daybook ask me something");
        const question = await said(/Which branch\?/);
        assert.equal(question.thread, root);
        await say("main", root);
        await said(/went on with main/);
        assert.equal(thread(root).length, 2, thread(root).join("\n"));
        await say("another", root);
        await said(/already has an answer/);
        assert.ok(slack.messages.every((each) => each.thread === root));
      },
    );

    test(
      "each end of a task is reported once: failed, skipped, elsewhere, proclaimed",
      inSample("ends"),
      async (t) => {
        const { say, said, slack } = await eventScenario(t, { store, handlers });
        const roots = new Map<string, string>();
        for (const word of ["fail", "skip", "elsewhere", "proclaim", "silent"]) {
          roots.set(word, await say(`@daybook ${word}`));
        }
        assert.equal((await said(/❌ gen-herald/)).thread, roots.get("fail"));
        assert.equal((await said(/⏭️ gen-herald: not mine/)).thread, roots.get("skip"));
        const elsewhere = await said(/told elsewhere/);
        assert.deepEqual([elsewhere.channel, elsewhere.thread], ["C2", undefined]);
        const out = await said(/1\.2 is out/);
        assert.deepEqual([out.channel, out.thread], ["C2", undefined]);
        assert.equal((await said(/✅ gen-herald: shipped/)).thread, roots.get("proclaim"));
        assert.equal((await said(/✅ gen-herald: working on/)).thread, roots.get("silent"));
        assert.equal(slack.messages.length, 6);
      },
    );
  });
}

describe("a daemon that handles events", { timeout: 120_000 }, () => {
  const sqlite = async (home: string): Promise<string> => `sqlite:${join(home, "book.db")}`;
  const own = `
  gen-ops: { subscribes: [deploy.done], run: { command: [node, soldier.mjs] }, schedules: { tick: { when: every 1s, type: summary, payload: { text: the hour } } } }
`;
  test("accepts a hook's request once, and no forged request", async (t) => {
    const { url, said, ask } = await eventScenario(t, { store: sqlite, handlers: own });
    const body = JSON.stringify({ type: "deploy.done", data: { text: "1.2" } });
    const tell = async (secret: string): Promise<Response> => {
      const signed = signedHeaders(secret, { id: "hook-1", body, now: Date.now() });
      const headers = { "content-type": "application/json", ...signed };
      return fetch(`${url}/hooks/deploys`, { method: "POST", headers, body });
    };
    const forged = await tell(`whsec_${Buffer.alloc(24, 8).toString("base64")}`);
    assert.equal(forged.status, 401);
    for (const again of [await tell(hookSecret), await tell(hookSecret)]) {
      assert.equal(again.status, 202, await again.text());
    }
    await said(/✅ gen-ops: reviewed/);
    const { events } = (await ask("GET", "/v1/events")).body as { events: readonly unknown[] };
    assert.equal(events.length, 1);
  });

  test("accepts a reply in the thread as the answer, although Slack is not a source", async (t) => {
    const asks = `
  gen-ops: { subscribes: [deploy.done], run: { command: [node, soldier.mjs] } }
`;
    const scenario = await eventScenario(t, { store: sqlite, handlers: asks, hears: false });
    await scenario.ask("POST", "/v1/events", { type: "deploy.done", payload: { text: "ask" } });
    const question = await scenario.said(/Which branch\?/);
    await scenario.say("main", question.thread);
    const end = await scenario.said(/went on with main/);
    assert.equal(end.thread, question.thread);
  });

  test("creates tasks from a handler's schedule, each in its own thread", async (t) => {
    const { said, thread, ask } = await eventScenario(t, { store: sqlite, handlers: own });
    const end = await said(/✅ gen-ops: reviewed the hour/);
    const [start] = thread(end.thread ?? assert.fail("it is in no thread"));
    assert.match(start ?? "", /📋 gen-ops: summary/);
    const { tasks } = (await ask("GET", "/v1/tasks")).body as {
      tasks: readonly { task_type: string; event: { name: string } }[];
    };
    assert.deepEqual([tasks[0]?.task_type, tasks[0]?.event.name], ["summary", "schedule-tick"]);
  });
});

describe("a book of files", { timeout: 120_000 }, () => {
  test("lets two shell scripts drop an event and work on its task in one thread", async (t) => {
    const scenario = await eventScenario(t, { store: inFiles, handlers });
    const book = join(scenario.home, "book");
    const text = 'say "hi" \\ and\tgo\non';
    const id = await scenario.shell("emit.sh", book, "shell.said", text);
    const start = await scenario.said(/📋 gen-shell: shell\.said/);
    const isDone = (): boolean => scenario.slack.messages.some(({ text }) => text.startsWith("✅"));
    // The worker polls: files follow the journal a moment later.
    while (!isDone()) await scenario.shell("worker.sh", book, "gen-shell");
    const end = await scenario.said(/✅ gen-shell: done by a shell/);
    assert.equal(end.thread, start.ts);
    assert.equal(scenario.slack.messages.length, 2);
    await settled(scenario, book, id);
    const event = readFileSync(join(book, "queue/events/completed", `${id}.json`), "utf8");
    assert.deepEqual((JSON.parse(event) as { payload: unknown }).payload, { text });
    const [task] = readdirSync(join(book, "queue/tasks/completed"));
    assert.match(task ?? "", /^task-\d{8}-\d{3}\.json$/);
    const result: unknown = JSON.parse(
      readFileSync(join(book, "state/results", task ?? ""), "utf8"),
    );
    assert.equal((result as { status: string }).status, "success");
  });
});

/** Files follow the journal a moment later. */
async function settled({ daemon }: EventScenario, book: string, event: string): Promise<void> {
  daemon.kill("SIGTERM");
  await daemon.ended;
  assert.deepEqual(readdirSync(join(book, "queue/events/completed")), [`${event}.json`]);
  for (const empty of [
    "events/pending",
    "events/dispatched",
    "tasks/pending",
    "tasks/in_progress",
  ]) {
    assert.deepEqual(readdirSync(join(book, "queue", empty)), [], empty);
  }
}
