import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hasCode } from "../../platform/errors.ts";
import { signatureOf } from "../../platform/signature.ts";
import { readCallback } from "./callback.ts";

const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";
const now = 1_800_000_000_000;
const runId = "01980000-0000-7000-8000-000000000001";

function signed(body: string, { id = runId, at = now / 1_000, by = secret } = {}) {
  const signature = signatureOf(by, { id, timestamp: at, body }) ?? "";
  return { "webhook-id": id, "webhook-timestamp": `${at}`, "webhook-signature": signature };
}

const done = `{"status":"completed","output":"안녕"}`;

test("a callback that is signed with the secret of the run is accepted", () => {
  assert.deepEqual(readCallback(done, signed(done), secret, now), {
    runId,
    callback: { status: "completed", output: "안녕" },
  });
  const failed = `{"status":"failed","message":"disk full","output":null,"more":1}`;
  assert.deepEqual(readCallback(failed, signed(failed), secret, now).callback, {
    status: "failed",
    message: "disk full",
  });
});

test("a callback with a wrong signature or a changed body is refused", () => {
  const other = "whsec_////////////////////////////////";
  const right = signed(done);
  const forged: [body: string, headers: Record<string, string | undefined>][] = [
    [done, signed(done, { by: other })],
    [done.replace("completed", "failed"), right],
    [done, { ...right, "webhook-id": "another" }],
    [done, { ...right, "webhook-timestamp": `${now / 1_000 + 1}` }],
    [done, { ...right, "webhook-timestamp": "soon" }],
    [done, { ...right, "webhook-signature": "v1," }],
    [done, { ...right, "webhook-signature": undefined }],
    [done, { ...right, "webhook-id": undefined }],
    [done, {}],
  ];
  for (const [body, headers] of forged) {
    assert.throws(
      () => readCallback(body, headers, secret, now),
      (error) => hasCode(error, "refused"),
      JSON.stringify(headers),
    );
  }
});

test("a callback is valid for five minutes before and after its timestamp", () => {
  for (const [offBy, isGood] of [
    [300, true],
    [-300, true],
    [301, false],
    [-301, false],
  ] as const) {
    const read = () => readCallback(done, signed(done, { at: now / 1_000 + offBy }), secret, now);
    if (isGood) assert.equal(read().runId, runId);
    else assert.throws(read, (error) => hasCode(error, "refused"), `${offBy}`);
  }
});

test("an unreadable callback is invalid, and the error shows what to send", () => {
  const bodies = [
    "",
    "{",
    "null",
    "[]",
    "7",
    "{}",
    `{"status":"maybe"}`,
    `{"status":"failed","message":7}`,
  ];
  for (const body of bodies) {
    assert.throws(
      () => readCallback(body, signed(body), secret, now),
      (error) => hasCode(error, "invalid") && error.message.includes("status"),
      body,
    );
  }
});

test("only the signature of the same bytes is accepted", () => {
  const anyHeaders = fc.record({
    "webhook-id": fc.string(),
    "webhook-timestamp": fc.constantFrom(`${now / 1_000}`, "0", ""),
    "webhook-signature": fc.string(),
  });
  fc.assert(
    fc.property(fc.string(), anyHeaders, (body, headers) => {
      assert.throws(
        () => readCallback(body, headers, secret, now),
        (error) => hasCode(error, "refused"),
      );
    }),
  );
});
