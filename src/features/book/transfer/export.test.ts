import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture } from "../../../../test/book-fixture.ts";
import { adminOf, fileOf, recordsOf } from "../../../../test/moved-book.ts";
import { happening } from "../../../../test/when-records.ts";
import { callOperation } from "../../../kernel/call.ts";
import { hasCode } from "../../../platform/errors.ts";
import { operations } from "../../index.ts";
import { makeNotification, notificationKind } from "../../notifications/kind.ts";
import { makeWebhook } from "../../notifications/webhook.ts";
import { endLine, headLine } from "./file.ts";

const secret = "whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ=";

/** A book with a record of each kind that is exported, and of some that are not. */
async function filled(at: BookFixture): Promise<void> {
  const context = adminOf(at);
  const call = (operation: keyof typeof operations, input: object) =>
    callOperation(context, operations[operation], input, context);
  const book = at.ledger.of("mina", "mina-at-cli");
  await call("setProfile", { quiet: "22:00-07:00" });
  await call("remind", { message: "stand-up", at: "+1h", key: "k", target: "inbox:mina" });
  await call("remind", {
    message: "soon over",
    at: "+1h",
    expires_at: "+2h",
    target: "inbox:mina",
  });
  await call("nag", { message: "pay rent", curve: "hourly" });
  await call("putPage", { id: "trip", title: "Trip" });
  await call("createSchedule", { when: "every day 9am", name: "tidy", run: { command: ["ls"] } });
  await call("createSchedule", {
    when: "every day 9am",
    name: "call",
    run: { http: "https://example.org/" },
  });
  await call("runScheduleNow", { id: "call" });
  await happening(context);
  await book.append(makeWebhook({ url: "https://example.org/", secret }));
  await call("createToken", { name: "phone" });
}

describe("an export", () => {
  test("is a first line, a line for each record in their order, and the count", async () => {
    const at = bookFixture();
    await filled(at);
    const lines = await fileOf(adminOf(at));
    const head = headLine.parse(JSON.parse(lines[0] ?? ""));
    const end = endLine.parse(JSON.parse(lines.at(-1) ?? ""));
    assert.deepEqual(
      [head.owner, head.at, head.kinds],
      [
        "mina",
        "2026-11-15T23:00:00.000Z",
        [
          "profile",
          "notification",
          "expiry",
          "page",
          "nag",
          "task",
          "schedule",
          "event",
          "question",
        ],
      ],
    );
    const records = recordsOf(lines);
    assert.equal(end.records, records.length);
    assert.equal(head.position, end.position, "nothing changed while it was written");
    const { records: stored } = await at.ledger.of("mina", "x").list({ limit: 500 });
    const exported = stored.filter(({ kind }) => head.kinds.includes(kind));
    assert.deepEqual(
      records.map(({ id }) => id),
      exported.map(({ id }) => id),
    );
    assert.deepEqual(
      records.map(({ body }) => Object.keys(body).toSorted()),
      exported.map(({ body }) => Object.keys(body as object).toSorted()),
    );
  });

  test("has no credential: no token, no webhook, and no secret that signs a call", async () => {
    const at = bookFixture();
    await filled(at);
    const text = (await fileOf(adminOf(at))).join("\n");
    assert.doesNotMatch(text, /whsec_|daybook_/);
    const { records } = await at.ledger.of("mina", "x").list({ limit: 500 });
    assert.match(JSON.stringify(records), /"secret":"whsec_.*"secret":"whsec_/s, "there are some");
    assert.ok(records.some(({ kind }) => kind === "webhook"));
    assert.doesNotMatch(text, /"kind":"webhook"/);
  });

  test("has no lease: only that an attempt was running", async () => {
    const at = bookFixture();
    const context = adminOf(at);
    await callOperation(
      context,
      operations.remind,
      { message: "hi", at: "+1m", target: "stdout:a" },
      context,
    );
    at.clock.advance(60_000);
    const claim = { kind: notificationKind, holder: "n1", leaseMs: 9_000, limit: 1 } as const;
    assert.equal((await at.ledger.work.claim(claim)).records.length, 1);
    const lines = await fileOf(context);
    const [record] = recordsOf(lines);
    assert.equal(record?.in_flight, true);
    assert.equal(record?.wake_at, "2026-11-15T23:01:00.000Z", "its own time, not the lease's end");
    assert.doesNotMatch(lines.join(), /n1|fence|holder/);
  });

  test("has the chosen kinds only", async () => {
    const at = bookFixture();
    await filled(at);
    const kindsOf = async (kind: readonly string[]): Promise<readonly string[]> => {
      const lines = await fileOf(adminOf(at), { kind });
      const { kinds } = headLine.parse(JSON.parse(lines[0] ?? ""));
      assert.deepEqual(kinds.toSorted(), kind.toSorted());
      return [...new Set(recordsOf(lines).map((record) => record.kind))].toSorted();
    };
    assert.deepEqual(await kindsOf(["nag"]), ["nag"]);
    assert.deepEqual(await kindsOf(["task", "schedule"]), ["schedule", "task"]);
    await assert.rejects(fileOf(adminOf(at), { kind: ["webhook"] }), /must be one of profile,/);
  });

  test("is of the caller's own book; another owner's is for administrators", async () => {
    const at = bookFixture();
    await filled(at);
    const ids = async (...given: Parameters<typeof fileOf>) =>
      recordsOf(await fileOf(...given)).map(({ id }) => id);
    assert.deepEqual(await ids(at.jun), []);
    const isRefused = (error: unknown): boolean =>
      hasCode(error, "refused") && /only its own book/.test(error.message);
    await assert.rejects(fileOf(at.jun, { owner: "mina" }), isRefused);
    const junAsAdmin = { ...at.jun, scopes: ["admin"] as const };
    assert.deepEqual(await ids(junAsAdmin, { owner: "mina" }), await ids(at.mina));
    const reader = { ...at.mina, scopes: ["read"] as const };
    assert.deepEqual(await ids(reader), await ids(at.mina));
    const writer = { ...at.mina, scopes: ["write"] as const };
    await assert.rejects(fileOf(writer), (error) => hasCode(error, "refused"));
  });

  test("comes in pages that no large record breaks, each record once", async () => {
    const at = bookFixture();
    const book = at.ledger.of("mina", "mina-at-cli");
    const sizes = [3, 400, 2_000, 5, 600, 1];
    for (const [index, count] of sizes.entries()) {
      for (let each = 0; each < Math.min(count, 400); each += 1) {
        const context = "x".repeat(index % 2 === 0 ? 10 : 19_000);
        const body = { message: `${index}.${each}`, at: 0, atText: "now", target: "stdout:a" };
        await book.append(makeNotification({ ...body, origin: null, context }));
      }
    }
    const context = adminOf(at);
    let pages = 0;
    const counting = { ...context, readProfile: context.readProfile, now: () => (pages += 1) };
    const lines = await fileOf(counting);
    const messages = recordsOf(lines).map(({ body }) => body["message"]);
    assert.equal(messages.length, 3 + 400 + 400 + 5 + 400 + 1);
    assert.equal(new Set(messages).size, messages.length);
    assert.ok(pages >= 8, `${pages} pages`);
  });

  test("says that the book has changed while it was written", async () => {
    const at = bookFixture();
    const context = adminOf(at);
    await filled(at);
    const { output } = await callOperation(context, operations.exportBook, {}, context);
    const first = operations.exportBook.output.parse(output);
    assert.equal(first.next, null);
    const book = at.ledger.of("mina", "x");
    for (let each = 0; each < 600; each += 1) {
      const body = { message: "hi", at: 0, atText: "now", target: "stdout:a", origin: null };
      await book.append({ kind: "notification", ends: "delivered", body });
    }
    const page = await operations.exportBook.run({}, context);
    const [newest] = (await book.list({ order: "newest", limit: 1 })).records;
    await book.append(makeWebhook({ url: "https://example.org/", secret }));
    const rest: string[] = [];
    for (let after = page.next; after !== null;) {
      const next = await operations.exportBook.run({ after }, context);
      rest.push(...next.lines);
      after = next.next;
    }
    const head = headLine.parse(JSON.parse(page.lines[0] ?? ""));
    const end = endLine.parse(JSON.parse(rest.at(-1) ?? ""));
    assert.notEqual(head.position, end.position);
    const { changes } = await book.changes({ after: head.position ?? "" });
    assert.deepEqual(
      changes.map(({ kind, what }) => [kind, what]),
      [["webhook", "appended"]],
      "the position is the end of the feed before the first record was read",
    );
    assert.ok(rest.some((line) => line.includes(newest?.id ?? "none")));
  });

  test("of an empty book has two lines, and a wrong cursor is refused", async () => {
    const context = adminOf(bookFixture());
    const lines = await fileOf(context);
    assert.deepEqual(JSON.parse(lines[1] ?? ""), { end: true, records: 0, position: null });
    await assert.rejects(fileOf(context, { after: "x" }), (error) => hasCode(error, "invalid"));
  });
});
