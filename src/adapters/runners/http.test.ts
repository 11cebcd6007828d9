import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test, type TestContext } from "node:test";
import { resultOf } from "../../features/events/result.ts";
import type { Job } from "../../features/tasks/runner.ts";
import { systemClock } from "../../platform/clock.ts";
import { safeFetch } from "../../platform/fetch.ts";
import { receiver, type Received, type Receiver } from "../../testing/channels/receiver.ts";
import { jobOf, runContext, runnerSuite } from "../../testing/runners/conformance.ts";
import { httpRunner } from "./http.ts";

const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";
const now = 1_800_000_000_000;
const slot = {
  schedule: "s-1",
  name: "backup",
  at: now,
  because: "cadence",
  notify: "always",
  rerun: false,
} as const;

function runner(allowHosts: readonly string[], given: { callbackUrl?(job: Job): string } = {}) {
  const fetch = safeFetch({
    clock: systemClock(),
    timeoutMs: 30_000,
    bytesMax: 10_000,
    allowHosts,
  });
  return httpRunner({ fetch, now: () => now, ...given });
}

const callbackUrl = ({ id }: Job): string => `https://daybook.example/v1/runs/${id}/callback`;

async function stand(t: TestContext, made: Promise<Receiver>) {
  const peer = await made;
  t.after(() => peer.close());
  const run = async (given: Partial<Job> = {}, options: Parameters<typeof runner>[1] = {}) => {
    const { context, output } = runContext();
    const job = jobOf({ http: peer.url, secret }, given);
    const ran = await runner([peer.host], options).run(job, context);
    return { ran, output: output() };
  };
  return { peer, run };
}

runnerSuite("http", async (t) => {
  const answer = { status: 200, body: "one\ntwo\nthree\n" };
  const { peer } = await stand(
    t,
    receiver(() => answer),
  );
  const input = { http: peer.url, secret };
  const meet = (behaviour: Parameters<Receiver["always"]>[0]) => () => {
    peer.always(behaviour);
    return input;
  };
  const echo = `your secret is ${secret} \u001B[2J`;
  return {
    runner: runner([peer.host]),
    input,
    hang: () => {
      peer.always("hang");
      return peer.request(peer.requests.length);
    },
    gone: () => peer.quiet(),
    arrivals: () => peer.requests.length,
    secret: secret.replace("whsec_", ""),
    faults: {
      "the receiver refuses, and repeats the secret": meet({ status: 400, body: echo }),
      "the receiver fails": meet({ status: 503, body: echo }),
      "the receiver redirects": meet({
        status: 302,
        headers: { location: "https://other.example" },
      }),
      "the server hangs up": meet("reset"),
      "the server exceeds the size limit": meet({ status: 500, body: "x".repeat(20_000) }),
      "the address is forbidden": () => ({ http: "https://169.254.169.254/", secret }),
      "the URL is malformed": () => ({ http: "nowhere", secret }),
      "the secret is unreadable": () => ({ http: peer.url, secret: "plain" }),
      "the receiver accepts a job without a callback": meet({ status: 202 }),
    },
  };
});

/** Follows the specification of Standard Webhooks, without the sender's code. */
function isRightlySigned({ headers, body }: Received): boolean {
  const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signature } = headers;
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const hmac = createHmac("sha256", key).update(`${id}.${at}.`).update(body).digest("base64");
  return at === "1800000000" && signature === `v1,${hmac}`;
}

test("a request is signed, complete, and has the run's id on every attempt", async (t) => {
  const { peer, run } = await stand(t, receiver());
  await run({ slot }, { callbackUrl });
  const { ran } = await run({ slot, attempt: 2 }, { callbackUrl });
  assert.equal(ran.result, "completed", JSON.stringify(ran));
  const [first, second] = peer.requests;
  assert.ok(first !== undefined && second !== undefined);
  assert.ok(isRightlySigned(first) && isRightlySigned(second));
  const id = "01980000-0000-7000-8000-000000000001";
  assert.equal(first.headers["webhook-id"], id);
  assert.deepEqual(second.body, first.body);
  assert.equal(second.headers["webhook-id"], id);
  assert.deepEqual(JSON.parse(first.body.toString()), {
    run_id: id,
    schedule: "s-1",
    slot: "2027-01-15T08:00:00Z",
    input: null,
    callback_url: `https://daybook.example/v1/runs/${id}/callback`,
  });
});

test("a run without a schedule sends its input, and no callback URL", async (t) => {
  const { peer } = await stand(t, receiver());
  const job = jobOf({ http: peer.url, secret, input: { deep: ["안녕"] } });
  await runner([peer.host]).run(job, runContext().context);
  const { schedule, slot, input, callback_url } = JSON.parse(
    peer.requests[0]?.body.toString() ?? "",
  ) as Record<string, unknown>;
  assert.deepEqual([schedule, slot, input, callback_url], [null, null, { deep: ["안녕"] }, null]);
});

test("each status maps to its result", async (t) => {
  const { peer, run } = await stand(t, receiver());
  const rows: [status: number, result: string, retry: boolean | undefined][] = [
    [200, "completed", undefined],
    [201, "completed", undefined],
    [204, "completed", undefined],
    [202, "later", undefined],
    [301, "failed", false],
    [400, "failed", false],
    [401, "failed", false],
    [404, "failed", false],
    [409, "failed", false],
    [410, "failed", false],
    [408, "failed", undefined],
    [429, "failed", undefined],
    [500, "failed", undefined],
    [503, "failed", undefined],
  ];
  for (const [status, result, retry] of rows) {
    peer.next({ status });
    const { ran } = await run({}, { callbackUrl });
    assert.equal(ran.result, result, `${status}`);
    assert.equal("retry" in ran ? ran.retry : undefined, retry, `${status}`);
    if (ran.result === "failed") assert.match(ran.reason, new RegExp(`answered ${status}`));
  }
});

test("a receiver's Retry-After is passed on, where a retry may help", async (t) => {
  const { peer, run } = await stand(t, receiver());
  const rows: [status: number, header: string, ms: number | undefined][] = [
    [429, "7", 7_000],
    [503, "Fri, 15 Jan 2027 08:01:00 GMT", 60_000],
    [503, "Fri, 15 Jan 2027 07:00:00 GMT", 0],
    [408, "1", 1_000],
    [429, "soon", undefined],
    [400, "7", undefined],
  ];
  for (const [status, header, ms] of rows) {
    peer.next({ status, headers: { "retry-after": header } });
    const { ran } = await run();
    assert.ok(ran.result === "failed");
    assert.equal(ran.retryAfterMs, ms, `${status} ${header}`);
  }
  peer.next({ status: 200, headers: { "retry-after": "7" } });
  assert.deepEqual((await run()).ran, { result: "completed" });
});

test("a failed connection is retried, and a forbidden address is not", async (t) => {
  const { peer, run } = await stand(t, receiver());
  peer.next("reset");
  const { ran: cut } = await run();
  assert.ok(cut.result === "failed" && cut.retry !== false);
  await peer.close();
  const { ran: closed } = await run();
  assert.ok(closed.result === "failed" && closed.retry !== false);
  const refused = await runner([]).run(jobOf({ http: peer.url, secret }), runContext().context);
  assert.ok(refused.result === "failed" && refused.retry === false);
  assert.match(refused.reason, /https/);
});

test("an answer over the size limit is cut and marked", async (t) => {
  const { peer, run } = await stand(t, receiver());
  const mark = "\n--- the answer was longer: it is cut here ---\n";
  peer.next({ status: 200, body: `x${"가".repeat(10_000)}` });
  assert.deepEqual(await run(), {
    ran: { result: "completed" },
    output: `x${"가".repeat(3_333)}${mark}`,
  });
  peer.next({ status: 200, body: `가${"x".repeat(9_997)}` });
  assert.equal((await run()).output, `가${"x".repeat(9_997)}`);
  peer.next({
    status: 503,
    headers: { "retry-after": "7" },
    body: `no disk ${"x".repeat(20_000)}`,
  });
  const { ran } = await run();
  assert.ok(ran.result === "failed" && ran.retryAfterMs === 7_000);
  assert.match(ran.reason, /^the receiver answered 503: no disk xxx/);
});

test("any answer of the receiver is the run's output", async (t) => {
  const { peer, run } = await stand(t, receiver());
  for (const body of [`{"notify":true,"message":"it rains"}`, "null", "[]", "{", "7"]) {
    peer.next({ status: 200, body });
    assert.deepEqual(await run(), { ran: { result: "completed" }, output: body });
  }
});

test("a callback ends the run without another request", async (t) => {
  const { peer, run } = await stand(t, receiver());
  assert.deepEqual(await run({ callback: { status: "completed", output: "40 files\n" } }), {
    ran: { result: "completed" },
    output: "40 files\n",
  });
  assert.deepEqual(await run({ callback: { status: "completed", output: { files: 40 } } }), {
    ran: { result: "completed" },
    output: '{"files":40}',
  });
  assert.deepEqual(await run({ callback: { status: "completed" } }), {
    ran: { result: "completed" },
    output: "",
  });
  const failed = { status: "failed", output: "half", message: "disk\nfull" };
  assert.deepEqual(await run({ callback: failed }), {
    ran: { result: "failed", reason: "disk full" },
    output: "half",
  });
  const { ran: silent } = await run({ callback: { status: "failed" } });
  assert.ok(silent.result === "failed" && silent.reason !== "");
  const { ran: unread } = await run({ callback: { status: "maybe" } });
  assert.ok(unread.result === "failed" && unread.retry === false);
  assert.equal(peer.requests.length, 0);
});

test("an answer for a handler's task is its result, if valid", async (t) => {
  const needs = { status: "needs_human", question: "Which branch?" };
  const { run } = await stand(
    t,
    receiver(() => ({ status: 200, body: JSON.stringify(needs) })),
  );
  const { ran } = await run({ event: { id: "task-1" } });
  assert.ok(ran.result === "completed");
  const result = resultOf(ran, { text: "" }, "task-1");
  assert.deepEqual(result, { ...needs, summary: "", task_id: "task-1" });
});
