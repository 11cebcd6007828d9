import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyAt } from "./snooze.ts";

const body = { message: "hi", at: 5, atText: "then", target: "inbox:me", origin: null };

test("an expiry time before the new time is dropped, a later one is kept", () => {
  const later = { at: 20, atText: "later" };
  assert.deepEqual(bodyAt({ ...body, expiresAt: 21 }, later), {
    ...body,
    ...later,
    expiresAt: 21,
  });
  assert.deepEqual(bodyAt({ ...body, expiresAt: 20 }, later), { ...body, ...later });
});
