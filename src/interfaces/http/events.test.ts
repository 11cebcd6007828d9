import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { httpFixture, type HttpFixture } from "../../../test/http-fixture.ts";
import { happening, minaAt, questioned } from "../../../test/when-records.ts";
import { table } from "../../features/index.ts";

const post = (at: HttpFixture, path: string, body: object = {}, more: object = {}) =>
  at.ask(path, { method: "POST", body, ...more });

describe("over HTTP", () => {
  test("an event is told once, found where it says, and counts the hops of the header", async (t) => {
    const at = await httpFixture(t, { operations: table });
    const event = { type: "jira.ticket.assigned", name: "evt-1", payload: { key: "OPS-7" } };
    const headers = { "daybook-hops": "3" };
    const first = await post(at, "/v1/events", event, { headers });
    const again = await post(at, "/v1/events", event);
    assert.deepEqual([first.status, again.status], [201, 200]);
    assert.equal(first.headers.get("location"), "/v1/events/evt-1");
    const read = await at.ask("/v1/events/evt-1");
    assert.deepEqual([read.json["hops"], read.json["payload"]], [3, { key: "OPS-7" }]);
    const wrong = await post(at, "/v1/events", event, { headers: { "daybook-hops": "many" } });
    assert.equal(wrong.status, 400);
    const twice = await post(at, "/v1/events", { ...event, hops: 1 }, { headers });
    assert.deepEqual([twice.status, /given twice/.test(twice.text)], [400, true]);
    const large = { ...event, name: "evt-2", payload: { text: "x".repeat(120_000) } };
    assert.equal((await post(at, "/v1/events", large)).status, 201);
    const tooLarge = { ...event, name: "evt-3", payload: { text: "x".repeat(140_000) } };
    assert.equal((await post(at, "/v1/events", tooLarge)).status, 413);
    assert.equal((await at.ask("/v1/events?state=pending&limit=1")).status, 200);
  });
  test("a task is a run, under both names; a worker claims, keeps and ends it", async (t) => {
    const at = await httpFixture(t, { operations: table });
    const { task, event } = await happening(minaAt(at));
    for (const path of [`/v1/tasks/${task}`, `/v1/runs/${task}`]) {
      const { json } = await at.ask(path);
      assert.deepEqual(
        [json["handler"], json["event"]],
        ["gen-docs", { id: event, name: event, type: "jira.ticket.assigned" }],
      );
    }
    const claimed = await post(at, `/v1/tasks/${task}/claim`, { worker: "box" });
    assert.deepEqual([claimed.status, claimed.json["ticket"]], [200, 1], claimed.text);
    assert.equal((await post(at, `/v1/tasks/${task}/claim`)).status, 409);
    assert.equal((await post(at, `/v1/tasks/${task}/claim`, {}, { token: "jun" })).status, 404);
    const none = await post(at, "/v1/tasks/claim", { handler: "gen-docs" });
    assert.deepEqual([none.status, none.json["task"]], [200, null]);
    const beat = await post(at, `/v1/tasks/${task}/heartbeat`, { ticket: 1 });
    assert.deepEqual([beat.status, beat.json["cancelling"]], [200, false]);
    const said = { status: "success", summary: "written" };
    const old = await post(at, `/v1/tasks/${task}/result`, { ticket: 7, ...said });
    assert.deepEqual([old.status, old.json["code"]], [409, "stale"]);
    const done = await post(at, `/v1/tasks/${task}/result`, { ticket: 1, ...said });
    assert.deepEqual([done.status, done.json["status"]], [200, "completed"]);
    const late = await post(at, `/v1/tasks/${task}/result`, { ticket: 1, ...said });
    assert.deepEqual([late.status, late.json["code"]], [409, "ended"]);
    const again = await post(at, `/v1/tasks/${task}/retry`);
    assert.deepEqual([again.status, again.json["of"]], [201, task]);
    const cancelled = await post(at, `/v1/tasks/${String(again.json["id"])}/cancel`);
    assert.deepEqual([cancelled.status, cancelled.json["cancel"]], [200, "cancelled"]);
    const queue = await at.ask("/v1/queue/stats");
    assert.deepEqual([queue.status, Array.isArray(queue.json["counts"])], [200, true]);
  });
  test("a question is answered once", async (t) => {
    const at = await httpFixture(t, { operations: table });
    const { question } = await questioned(minaAt(at));
    const path = `/v1/questions/${question}/answer`;
    const first = await post(at, path, { answer: "main" });
    assert.deepEqual([first.status, first.json["state"]], [200, "answered"], first.text);
    const second = await post(at, path, { answer: "dev" });
    assert.equal(second.status, 409);
    assert.match(String(second.json["detail"]), /already has an answer: "main"/);
    assert.equal((await at.ask(`/v1/questions/${question}`)).json["answer"], "main");
  });
  test("a question is taken back, and nobody waits for its answer any more", async (t) => {
    const at = await httpFixture(t, { operations: table });
    const { question } = await questioned(minaAt(at));
    const { status, json } = await post(at, `/v1/questions/${question}/cancel`, { reason: "no" });
    assert.deepEqual([status, json["state"], json["cancel"]], [200, "cancelled", "cancelled"]);
    const late = await post(at, `/v1/questions/${question}/answer`, { answer: "main" });
    assert.equal(late.status, 409);
    assert.match(String(late.json["detail"]), /no task waits for the answer/);
  });
});
