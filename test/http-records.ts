import assert from "node:assert/strict";
import type { Asking, HttpFixture } from "./http-fixture.ts";

/** The id of no record. */
export const nobody = "01939c3a-0000-7000-8000-000000000000";

/** Where an input is needed to get as far as the record. */
export const inputs: Readonly<Record<string, Asking["body"]>> = {
  snooze_notification: { at: "+2h" },
  snooze_nag: { at: "+2h" },
  update_notification: { message: "mine" },
  schedule_edit: { name: "mine" },
  schedule_backfill: { from: "2026-11-01" },
  schedule_preview: { when: "every day" },
  answer_run: { answer: "yes" },
  answer_question: { answer: "yes" },
  heartbeat_task: { ticket: 1 },
  result_task: { ticket: 1, status: "success", summary: "done" },
  move_queued: { state: "cancelled" },
  edit_queued: { priority: "high" },
  replay_subscription: { from: 1 },
};

/** Makes a record over HTTP, as mina. */
export async function made(at: HttpFixture, path: string, body: object): Promise<string> {
  const { status, json, text } = await at.ask(path, { method: "POST", body });
  assert.equal(status, 201, text);
  return String(json["id"]);
}

/** A schedule, and a run. */
export async function madeToRun(at: HttpFixture): Promise<[schedule: string, run: string]> {
  const schedule = { when: "every day", run: { task: "tidy" } };
  return [
    await made(at, "/v1/schedules", schedule),
    await made(at, "/v1/tasks", { task: "tidy", at: "+1h" }),
  ];
}

/** A nag, and a page. */
export async function madeUntilDone(at: HttpFixture): Promise<[nag: string, page: string]> {
  const nag = await made(at, "/v1/nags", { message: "secret", at: "+1h" });
  const put = await at.ask("/v1/pages/trip", { method: "PUT", body: { title: "secret" } });
  assert.equal(put.status, 200, put.text);
  return [nag, "trip"];
}

/** Records of mina that others must not reach, by their ids. */
export async function madeOfEveryKind(at: HttpFixture): Promise<readonly string[]> {
  const note = { message: "secret", at: "+1h", key: "k" };
  return [
    await made(at, "/v1/notifications", note),
    await made(at, "/v1/webhooks", { url: "https://example.com/hook" }),
    ...(await madeToRun(at)),
    ...(await madeUntilDone(at)),
    await made(at, "/v1/events", { type: "jira.ticket.assigned", name: "evt-1" }),
    await made(at, "/v1/workspaces", { name: "scratch" }),
    await made(at, "/v1/calendars", { kind: "ics" }),
  ];
}
