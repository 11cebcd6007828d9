import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { httpFixture, type HttpFixture } from "../../../test/http-fixture.ts";
import { is } from "../../kernel/kind.ts";
import { signatureOf } from "../../platform/signature.ts";
import { makeTask, taskKind } from "./kind.ts";
import { emptyOutcome } from "./outcome.ts";

const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;

/** A run that was taken with 202, so that nothing runs here until its end is told. */
async function waiting(fixture: HttpFixture): Promise<string> {
  const now = fixture.clock.wall();
  const draft = makeTask({
    name: "http",
    input: { http: "https://jobs.example.org", secret },
    at: now,
    target: "inbox:mina",
    origin: null,
    timeoutMs: 60_000,
  });
  const outcome = { ...emptyOutcome, awaitsUntil: now + 60_000 };
  const book = fixture.ledger.of("mina", "mina");
  return (await book.append({ ...draft, outcome, wakeAt: now + 60_000 })).id;
}

interface Sending {
  readonly signedAs?: string;
  readonly with?: string;
  readonly at?: number;
  readonly body?: unknown;
}

function send(fixture: HttpFixture, id: string, sending: Sending = {}): Promise<Response> {
  const body = JSON.stringify(sending.body ?? { status: "completed", output: "다 됐어요" });
  const timestamp = Math.floor((sending.at ?? fixture.clock.wall()) / 1_000);
  const signed = { id: sending.signedAs ?? id, timestamp, body };
  return fetch(new URL(`/callbacks/mina/${id}`, fixture.url), {
    method: "POST",
    body,
    headers: {
      "webhook-id": signed.id,
      "webhook-timestamp": `${timestamp}`,
      "webhook-signature": signatureOf(sending.with ?? secret, signed) ?? "",
    },
  });
}

async function seen(fixture: HttpFixture, id: string): Promise<unknown> {
  const record = await fixture.ledger.of("mina", "x").get(id);
  return is(taskKind, record) ? record.outcome?.callback : undefined;
}

describe("the end of a run that is told later", () => {
  test("is taken when it is signed, and the run is looked at at once", async (t) => {
    const fixture = await httpFixture(t);
    const id = await waiting(fixture);
    assert.equal((await send(fixture, id)).status, 200);
    assert.deepEqual(await seen(fixture, id), { status: "completed", output: "다 됐어요" });
    const record = await fixture.ledger.of("mina", "x").get(id);
    assert.ok((record?.wakeAt ?? Infinity) <= fixture.clock.wall());
  });
  test("told twice, the first counts", async (t) => {
    const fixture = await httpFixture(t);
    const id = await waiting(fixture);
    await send(fixture, id);
    assert.equal((await send(fixture, id, { body: { status: "failed" } })).status, 200);
    assert.deepEqual(await seen(fixture, id), { status: "completed", output: "다 됐어요" });
  });
  const other = `whsec_${Buffer.alloc(24, 8).toString("base64")}`;
  const forged: readonly (readonly [string, Sending])[] = [
    ["another secret", { with: other }],
    ["the id of another run", { signedAs: "another" }],
    ["a signature of an hour ago", { at: Date.UTC(2020, 0) }],
  ];
  for (const [what, sending] of forged) {
    test(`with ${what} is refused, and nothing is written`, async (t) => {
      const fixture = await httpFixture(t);
      const id = await waiting(fixture);
      assert.equal((await send(fixture, id, sending)).status, 403);
      assert.equal(await seen(fixture, id), undefined);
    });
  }
  test("for a run that is not there is refused as a wrong signature is", async (t) => {
    const fixture = await httpFixture(t);
    const id = await waiting(fixture);
    const [gone, wrong] = [
      await send(fixture, "nowhere"),
      await send(fixture, id, { with: other }),
    ];
    assert.deepEqual(
      [gone.status, ((await gone.json()) as { detail: string }).detail],
      [wrong.status, ((await wrong.json()) as { detail: string }).detail],
    );
  });
});
