import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as z from "zod";
import { httpFixture, type HttpFixture } from "../../../test/http-fixture.ts";
import { is } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { type TaskKind, taskKind } from "../tasks/kind.ts";
import { scheduleKind } from "./kind.ts";
import { pingHash, pingToken } from "./ping-token.ts";
import { makeWatch } from "./watch.ts";

async function watched(fixture: HttpFixture): Promise<{ id: string; path: string }> {
  const now = fixture.clock.wall();
  const body = {
    name: "backup",
    cadence: { type: "interval", everyMs: 86_400_000, anchor: now },
    whenText: "1d",
    run: { ping: pingHash("secret"), graceMs: 1_000 },
    notify: "never",
    target: "inbox:mina",
    origin: null,
    misfire: "latest",
    overlap: "skip",
    rerun: false,
    timeoutMs: 1,
    notifyAfterFailures: 1,
    disableAfterFailures: 0,
  } as const;
  const draft = makeWatch(body, { owner: "mina", now, limit: 5 });
  const { id } = await fixture.ledger.of("mina", "mina").append(draft);
  return { id, path: `/ping/${pingToken("mina", id, "secret")}` };
}

async function rows(fixture: HttpFixture): Promise<readonly LedgerRecord<TaskKind>[]> {
  const { records } = await fixture.ledger.of("mina", "x").list({ kind: taskKind, limit: 500 });
  return records.filter((record) => is(taskKind, record));
}

function send(fixture: HttpFixture, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(new URL(path, fixture.url), init);
}

describe("an address to be pinged", () => {
  for (const method of ["GET", "HEAD", "POST"]) {
    test(`is asked for by ${method}, by nobody in particular`, async (t) => {
      const fixture = await httpFixture(t);
      const { path, id } = await watched(fixture);
      const answer = await send(fixture, path, { method });
      assert.equal(answer.status, 200);
      const [row] = await rows(fixture);
      assert.deepEqual([row?.state, row?.parent], ["completed", id]);
    });
  }
  const ends: readonly (readonly [string, string, number | null])[] = [
    ["/fail", "failed", null],
    ["/0", "completed", 0],
    ["/1", "failed", 1],
    ["/255", "failed", 255],
  ];
  for (const [end, state, exit] of ends) {
    test(`that ends with ${end} leaves the run ${state}, with what was sent`, async (t) => {
      const fixture = await httpFixture(t);
      const { path } = await watched(fixture);
      const answer = await send(fixture, path + end, { method: "POST", body: "디스크 full" });
      assert.equal(answer.status, 200);
      const [row] = await rows(fixture);
      assert.deepEqual([row?.state, row?.outcome?.exit], [state, exit]);
      assert.equal(row?.outcome?.result, "디스크 full");
    });
  }
  test("that ends with /start begins a run that is no row yet", async (t) => {
    const fixture = await httpFixture(t);
    const { path, id } = await watched(fixture);
    assert.equal((await send(fixture, `${path}/start`)).status, 200);
    assert.deepEqual(await rows(fixture), []);
    const record = await fixture.ledger.of("mina", "x").get(id);
    assert.ok(is(scheduleKind, record));
    assert.equal(record.outcome?.startedAt, fixture.clock.wall());
  });
  test("that nobody made, or that was deleted, answers alike, and guessing is slowed", async (t) => {
    const fixture = await httpFixture(t);
    const { path, id } = await watched(fixture);
    await fixture.ledger.of("mina", "x").cancel({ id });
    const known = await (await send(fixture, path)).json();
    const unknown = await (await send(fixture, "/ping/bWluYQ.x.y")).json();
    const bare = (problem: unknown) => ({ ...(problem as object), request_id: "" });
    assert.deepEqual(bare(known), bare(unknown));
    const statuses: number[] = [];
    for (let i = 0; i < 12; i += 1) statuses.push((await send(fixture, `/ping/a.b.c${i}`)).status);
    assert.equal(statuses[0], 404);
    assert.equal(statuses.at(-1), 429);
  });
  test("still works for those who know it where others guess", async (t) => {
    const fixture = await httpFixture(t);
    const { path } = await watched(fixture);
    for (let i = 0; i < 12; i += 1) await send(fixture, `/ping/a.b.c${i}`);
    assert.equal((await send(fixture, path)).status, 200);
  });
  for (const end of ["/256", "/-1", "/1e2", "/stop", "/0/1"]) {
    test(`that ends with ${end} is none, and writes nothing`, async (t) => {
      const fixture = await httpFixture(t);
      const { path } = await watched(fixture);
      assert.ok([401, 404].includes((await send(fixture, path + end)).status));
      assert.deepEqual(await rows(fixture), []);
    });
  }
  test("keeps the end of what is long, in whole characters", async (t) => {
    const fixture = await httpFixture(t);
    const { path } = await watched(fixture);
    const body = `${"가".repeat(40_000)}end`;
    assert.equal((await send(fixture, path, { method: "POST", body })).status, 200);
    const [row] = await rows(fixture);
    const kept = z.string().parse(row?.outcome?.result);
    assert.ok(body.endsWith(kept) && Buffer.byteLength(kept) > 64 * 1024 - 3);
    assert.ok(Buffer.byteLength(kept) <= 64 * 1024);
    assert.equal(row?.outcome?.outputCut, true);
  });
  test("takes a long report, and only what is endless is refused", async (t) => {
    const fixture = await httpFixture(t);
    const { path } = await watched(fixture);
    const body = `${"x".repeat(360_000)}\nend`;
    assert.equal((await send(fixture, `${path}/fail`, { method: "POST", body })).status, 200);
    const [row] = await rows(fixture);
    const kept = z.string().parse(row?.outcome?.result);
    assert.deepEqual([row?.state, row?.outcome?.outputCut, kept.length], ["failed", true, 65_536]);
    assert.ok(body.endsWith(kept));
    const piece = new Uint8Array(2 ** 20);
    const pieces = Array.from({ length: 65 }, () => piece);
    const endless = { method: "POST", body: ReadableStream.from(pieces), duplex: "half" } as const;
    assert.equal((await send(fixture, path, endless)).status, 413);
    assert.equal((await rows(fixture)).length, 1);
  });
  test("stands in no log line", async (t) => {
    const fixture = await httpFixture(t);
    const { path } = await watched(fixture);
    await send(fixture, `${path}/start`);
    await send(fixture, "/ping/bWluYQ.x.y");
    const all = fixture.lines.join("\n");
    assert.match(all, /"\/ping\/…\/start"/);
    assert.ok(!all.includes("bWluYQ"));
  });
});
