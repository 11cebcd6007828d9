import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { table } from "../src/features/index.ts";

/**
 * An operation has the same noun and the same verb in its command, its path and its tool: `question cancel`,
 * POST /v1/questions/{id}/cancel, `cancel_question`. What differs stands in the tables below, with the reason.
 */

/** The nouns that are meant by commands without one, which people type every day. */
const meant: Readonly<Record<string, string>> = {
  profile: "profile",
  remind: "notification",
  list: "notification",
  show: "notification",
  import: "book",
  export: "book",
  snooze: "notification",
  done: "notification",
  cancel: "notification",
  nag: "nag",
  run: "task",
  schedule: "schedule",
  watch: "watch",
  ping: "watch",
  "cancel --all": "notification",
  "pause --all": "pause",
  "resume --all": "pause",
};

/** About the whole book: the tool is the command. */
const withoutNoun = ["next", "explain", "simulate", "whoami"];

/** The names of tools in the seeds, which their users know. */
const ofSeeds = [
  "schedule_notification",
  "update_notification",
  "list_notifications",
  "cancel_notification",
  "schedule_create",
  "schedule_search",
  "schedule_edit",
  "schedule_delete",
  "schedule_runs",
  "schedule_run_output",
];

/** The other word for a noun in paths and tools. */
const otherWords: Readonly<Record<string, string>> = {
  person: "people",
  worker: "task", // a worker claims tasks
  pause: "everything", // pause_everything
};

/** Tools that were made after those of the seeds for schedules, and begin like these. */
const likeSeeds = /^schedule_(get|pause|resume|run_now|backfill|preview|apply)$/;

/** Names of another form, each for its own reason. */
const others: readonly string[] = [
  "collect_archives", // workspace gc: it removes archives, never a workspace
  "queue_stats", // a noun: it shows numbers
  "sync_push", // the protocol of WatermelonDB
  "sync_pull",
];

const spellings = (noun: string): readonly string[] => {
  const other = otherWords[noun];
  const plurals = [noun, `${noun}s`, `${noun}es`, `${noun}d`];
  return other === undefined ? plurals : [...plurals, other, `${other}s`];
};

describe("the names of an operation agree", () => {
  for (const { name, command, route } of table) {
    const [first = "", verb] = command.name.split(" ");
    if (withoutNoun.includes(command.name)) {
      test(`${name} is the command ${command.name}`, () => assert.equal(name, command.name));
      continue;
    }
    const noun = meant[command.name] ?? first;
    test(`${command.name}: the path ${route.path} has the noun ${noun}`, () => {
      const [, , collection = ""] = route.path.split("/");
      const isOfSchedule = name === "schedule_runs"; // the runs of a schedule are below it
      assert.ok(spellings(isOfSchedule ? "schedule" : noun).includes(collection), collection);
    });
    if (ofSeeds.includes(name) || others.includes(name)) continue;
    test(`${command.name}: the tool ${name} has the noun ${noun}`, () => {
      const words = name.split("_");
      assert.ok(
        spellings(noun).some((each) => words.includes(each)),
        name,
      );
    });
    const hasVerb = verb !== undefined && !Object.hasOwn(meant, command.name);
    if (!hasVerb || likeSeeds.test(name)) continue;
    test(`${command.name}: the tool ${name} has the verb ${verb}`, () => {
      assert.equal(name.split("_")[0], verb);
    });
  }
});

test("an old name is that of one operation, and of none today", () => {
  const names = table.map(({ name }) => name);
  const old = table.flatMap(({ oldNames = [] }) => oldNames);
  assert.equal(new Set([...names, ...old]).size, names.length + old.length);
});
