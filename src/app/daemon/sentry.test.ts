import assert from "node:assert/strict";
import { test } from "node:test";
import { sentryReporter } from "./sentry.ts";

test("what goes wrong is reported, with its facts", async () => {
  const seen: unknown[] = [];
  const sentry = {
    init: (options: object) => seen.push(options),
    captureMessage: (...said: unknown[]) => seen.push(said),
  };
  const report = await sentryReporter("https://key@example.org/1", async () => sentry);
  report("store failed", { doing: "settle", reason: "away" });
  assert.deepEqual(seen, [
    { dsn: "https://key@example.org/1" },
    ["store failed", { level: "error", extra: { doing: "settle", reason: "away" } }],
  ]);
});

test("without the package it says what to install", async () => {
  await assert.rejects(sentryReporter("x"), {
    code: "unsupported",
    message: /npm install @sentry\/node/,
  });
});
