import assert from "node:assert/strict";
import { test } from "node:test";
import { sentryServer } from "../../testing/sentry-server.ts";
import { optionalSentry, sentryReporter } from "./sentry.ts";

const secret = "12345:the-token-of-a-bot";

test("what goes wrong is reported, with its stack, tags and facts, and nothing else", async (t) => {
  const peer = await sentryServer();
  t.after(peer.close);
  const warned: string[] = [];
  const report = optionalSentry(peer.dsn, (text) => warned.push(text)) ?? assert.fail();
  // What the package would add by itself.
  console.info(secret);
  await fetch(`${new URL(peer.dsn).origin}/bot${secret}/sendMessage`, { method: "POST" });
  const stack =
    "    at act (/program/src/controller.ts:7:9)\n    at run (/program/src/pool.ts:1:2)";
  report("act failed", { kind: "task", id: "t1", attempt: 2, reason: "x is undefined", stack });
  report("store failed", { doing: "settle", reason: "away" });
  report("node lost", { name: "n2" });

  const named = (name: string) => peer.event(({ exception }) => exception.values[0]?.type === name);
  const { level, release, tags, extra, exception } = await named("act failed");
  const [error = assert.fail()] = exception.values;
  assert.deepEqual([level, tags, error.value], ["error", { kind: "task" }, "x is undefined"]);
  assert.match(release, /^daybook@\d+\.\d+\.\d+/);
  assert.deepEqual(extra, { kind: "task", id: "t1", attempt: 2, reason: "x is undefined" });
  const files = (each: typeof error) => each.stacktrace.frames.map(({ filename }) => filename);
  assert.deepEqual(files(error), ["/program/src/pool.ts", "/program/src/controller.ts"]);

  const store = await named("store failed");
  assert.deepEqual([store.tags, store.exception.values[0]?.value], [{ doing: "settle" }, "away"]);
  // Without a stack of its own, an error shows where it was noticed.
  assert.match(files(store.exception.values[0] ?? assert.fail()).at(-1) ?? "", /sentry\.test\.ts$/);
  assert.equal((await named("node lost")).exception.values[0]?.value, "node lost");
  assert.doesNotMatch(peer.bodies.join("\n"), new RegExp(secret));
  assert.deepEqual(warned, []);
});

test("a package that does not load is told once, when it is needed", async () => {
  const told: unknown[] = [];
  const { promise: failed, resolve } = Promise.withResolvers<void>();
  const fails = (error: unknown): void => {
    told.push(error);
    resolve();
  };
  const broken = new Error("a file is missing");
  const report = sentryReporter("https://key@example.org/1", fails, () => Promise.reject(broken));
  assert.deepEqual(told, []);
  report("store failed", {});
  report("store failed", {});
  await failed;
  assert.deepEqual(told, [broken]);
});

test("what is no DSN warns, and reports nothing", () => {
  assert.equal(
    optionalSentry("", () => assert.fail()),
    undefined,
  );
  for (const dsn of ["key", "https://example.org/1", "https://key@example.org/", "file://a@b/1"]) {
    const warned: string[] = [];
    assert.equal(
      optionalSentry(dsn, (text) => warned.push(text)),
      undefined,
    );
    assert.match(warned.join("\n"), /^DAYBOOK_SENTRY_DSN is set.*https:\/\/KEY@HOST\/PROJECT/);
  }
});
