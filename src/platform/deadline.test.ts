import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeFixture } from "../testing/node-fixture.ts";
import { withDeadline } from "./deadline.ts";

const never = (): Promise<string> => new Promise(() => undefined);
const quiet = new AbortController().signal;

test("an answer in time is returned unchanged", async () => {
  const { clock } = nodeFixture();
  const options = { clock, timeoutMs: 100, graceMs: 10, signal: quiet };
  assert.deepEqual(await withDeadline(options, () => Promise.resolve("yes")), { done: "yes" });
});

test("a call that obeys its signal may still answer within the grace period", async () => {
  const at = nodeFixture();
  const options = { clock: at.clock, timeoutMs: 100, graceMs: 10, signal: quiet };
  const answer = withDeadline(
    options,
    (signal) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve(signal.reason))),
  );
  await at.pass(100);
  assert.deepEqual(await answer, { done: "time is up" });
});

test("a call that never answers is abandoned", async () => {
  const at = nodeFixture();
  const answer = withDeadline(
    { clock: at.clock, timeoutMs: 100, graceMs: 10, signal: quiet },
    never,
  );
  await at.pass(110);
  assert.deepEqual(await answer, { late: "time is up" });
});

test("a caller that aborts waits no longer than the grace period", async () => {
  const at = nodeFixture();
  const caller = new AbortController();
  const answer = withDeadline(
    { clock: at.clock, timeoutMs: 1_000, graceMs: 10, signal: caller.signal },
    never,
  );
  caller.abort();
  await at.pass(10);
  assert.deepEqual(await answer, { late: "told to stop" });
});

test("an error of the call is thrown", async () => {
  const { clock } = nodeFixture();
  const options = { clock, timeoutMs: 100, graceMs: 10, signal: quiet };
  await assert.rejects(
    withDeadline(options, () => Promise.reject(new Error("no"))),
    /no/,
  );
});
