import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileLayouts as layouts } from "../features/index.ts";
import { systemClock } from "../platform/clock.ts";
import { log } from "../platform/log.ts";
import { systemRandom } from "../platform/random.ts";
import { file } from "../stores/file/file.ts";
import { configFrom } from "./config/load.ts";
import { externalPrograms } from "./external-programs.ts";

const handler = {
  name: "gen-pr",
  subscribes: ["a.b"],
  timeoutMs: 60_000,
  retries: 2,
  target: null,
  channels: [],
  repo: "a/b",
};
const clock = systemClock();
const silent = {
  write: () => undefined,
  clock,
  level: "error",
  format: "json",
  color: false,
} as const;
const platform = { clock, random: systemRandom(), log: log(silent) };
const defaults = configFrom({ store: "memory:", timezone: "UTC", language: "en" });
const channels = { ...defaults.channels, defaultTarget: "slack:C1" };
const config = { ...defaults, handlers: [handler], channels };
const external = externalPrograms({
  platform,
  current: () => config,
});

type Json = Readonly<Record<string, unknown>>;

/** Drops files into a book of files, lets it look at them once, and gives what is there then. */
async function dropped(
  ...turns: readonly Readonly<Record<string, unknown>>[]
): Promise<{ shown: readonly Json[]; reasons: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), "daybook-"));
  try {
    await (await file({ folder, layouts })).close();
    for (const turn of turns) {
      for (const [place, content] of Object.entries(turn)) {
        writeFileSync(join(folder, "queue", place), JSON.stringify(content));
      }
      await (await file({ folder, layouts, external })).close();
    }
    const reasons = textsIn(join(folder, "quarantine"), ".reason").map((text) => text.trim());
    const shown = ["events", "tasks", "messages"].flatMap((kind) =>
      textsIn(join(folder, "queue", kind, "pending"), ".json").map((text) => JSON.parse(text)),
    );
    return { shown, reasons };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function textsIn(folder: string, ending: string): readonly string[] {
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  const chosen = names.filter((name) => name.endsWith(ending));
  return chosen.map((name) => readFileSync(join(folder, name), "utf8"));
}

const message = {
  id: "msg-1",
  type: "notification",
  task_id: null,
  channel: "C1",
  urgency: "urgent",
  content: "hi",
  context: { a: 1 },
  thread_ts: "1700000000.000100",
  final: true,
  reply_context: { general: "gen-pr", session_id: "s-1" },
  track_conversation: { reply_context: { general: "gen-pr" }, ttl_seconds: 60 },
  source_ref: { channel: "C1", message_ts: "1700000000.000100" },
  retry_count: 0,
};
const task = {
  id: "task-1",
  event_id: null,
  target_general: "gen-pr",
  type: "resume",
  event_type: "a.b",
  repo: null,
  payload: { n: 1 },
  session_id: "s-1",
  answer: "main",
  priority: "low",
  retry_count: 0,
};
const event = {
  id: "evt-1",
  type: "a.b",
  source: "sh",
  repo: null,
  payload: {},
  priority: "low",
  created_at: "2026-02-07T10:00:00.000Z", // a dropped event keeps its own created_at
};

const whole: [what: string, place: string, content: Json, shownAs?: Json][] = [
  ["a message", "messages/pending", message],
  ["a message of few words", "messages/pending", { id: "msg-2", ...few(message) }],
  ["a task", "tasks/pending", task, { repo: "a/b" }],
  ["a task of an event", "tasks/pending", { ...task, event_id: "evt-9", repo: "c/d" }],
  ["an event", "events/pending", event],
];

function few({ type, channel, content }: typeof message): Json {
  return { type, channel, content };
}

for (const [what, folder, content, shownAs = {}] of whole) {
  test(`all that a dropped file says is shown, and the same again leaves a trace only: ${what}`, async () => {
    const [place, again] = [`${folder}/${String(content["id"])}.json`, `${folder}/again.json`];
    const { shown, reasons } = await dropped({ [place]: content }, { [again]: content });
    assert.match(reasons.join(), /again\.json: It was dropped before: \S+ is there already/);
    assert.equal(reasons.length, 1);
    assert.equal(shown.length, 1);
    const { retry_count: _counted, ...said } = { ...content, ...shownAs };
    for (const [name, value] of Object.entries(said)) {
      assert.deepEqual(shown[0]?.[name], value, name);
    }
  });
}

test("the same id with another word is put aside", async () => {
  const [folder, first] = ["messages/pending", "messages/pending/msg-1.json"];
  for (const other of [{ context: { a: 2 } }, { urgency: "high" }, { source_ref: {} }]) {
    const second = { [`${folder}/other.json`]: { ...message, ...other } };
    const { reasons } = await dropped({ [first]: message }, second);
    assert.match(reasons.join(), /msg-1 exists with other content/);
  }
  const task2 = { "tasks/pending/other.json": { ...task, id: message.id } };
  const { reasons } = await dropped({ [first]: message }, task2);
  assert.match(reasons.join(), /msg-1 exists with other content/);
});

test("what only the book can say is refused, and not lost", async () => {
  const later = "2027-01-01T00:00:00Z";
  for (const ours of [
    { reason: "x" },
    { retry_count: 2 },
    { retry_after: later },
    { daybook: 1 },
  ]) {
    const { reasons } = await dropped({ "tasks/pending/task-1.json": { ...task, ...ours } });
    const [name] = Object.keys(ours);
    assert.deepEqual(reasons, [
      `queue/tasks/pending/task-1.json: Only Daybook writes "${name}": leave it out.`,
    ]);
  }
});
