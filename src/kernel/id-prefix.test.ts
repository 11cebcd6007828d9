import assert from "node:assert/strict";
import { test } from "node:test";
import { errorsIn } from "../app/error-texts.ts";
import { makeNotification, notificationKind } from "../features/notifications/kind.ts";
import { makeWebhook, webhookKind } from "../features/notifications/webhook.ts";
import { ids } from "../platform/ids.ts";
import { seededRandom } from "../platform/random.ts";
import { memory } from "../stores/memory/memory.ts";
import { findRecord } from "./book.ts";
import { findById } from "./id-prefix.ts";
import type { Book, Ledger } from "./ledger.ts";

const noon = Date.parse("2026-11-18T12:00:00Z");

function fixture(): { ledger: Ledger; ann: Book; bob: Book } {
  const wall = (): number => noon;
  const ledger = memory({ now: wall, ids: ids({ wall }, seededRandom(1)) });
  return { ledger, ann: ledger.of("ann", "cli"), bob: ledger.of("bob", "cli") };
}

async function put(book: Book, ...names: readonly string[]): Promise<void> {
  const message = { message: "hi", at: noon, atText: "now", target: "x:y", origin: "x:y" };
  for (const id of names) await book.append({ ...makeNotification(message), id });
}

const uuid = (start: string): string =>
  `${start}${"01a1f5a5-db47-7001-a3f0-0242ac120002".slice(start.length)}`;
const one = uuid("01a1f5a5-db47");

const found = async (book: Book, typed: string): Promise<string | undefined> =>
  (await findById(book, typed, [notificationKind]))?.id;

async function errorOf(book: Book, typed: string): Promise<unknown> {
  const error: unknown = await findRecord(book, notificationKind, typed).catch(
    (each: unknown) => each,
  );
  assert.ok(error instanceof Error, "a record was found");
  const { message, code, details } = error as Error & { code?: string; details?: unknown };
  return { message, code, details };
}

test("the start of an id finds its record from 8 characters on, in upper or lower case", async () => {
  const { ann } = fixture();
  await put(ann, one);
  for (let length = 8; length <= one.length; length += 1) {
    assert.equal(await found(ann, one.slice(0, length)), one);
    assert.equal(await found(ann, one.slice(0, length).toUpperCase()), one);
  }
  for (const typed of ["01a1f5a", "01a1f5a6", "", " 01a1f5a5", "01a1f5a5\0", "\uD80001a1f5a5"]) {
    assert.equal(await found(ann, typed), undefined, JSON.stringify(typed));
  }
});

test("the error for a start that is too short says how much to type", async () => {
  const { ann } = fixture();
  await put(ann, one);
  assert.deepEqual(await errorOf(ann, "01a1"), {
    message: `There is no notification "01a1" in this book. Type at least the first 8 characters of an id.`,
    code: "not_found",
    details: { id: "01a1" },
  });
  assert.deepEqual(await errorOf(ann, "decade"), {
    message: `There is no notification "decade" in this book.`,
    code: "not_found",
    details: { id: "decade" },
  });
});

test("an ambiguous start is a conflict that names five candidates with kind and state", async () => {
  const { ann } = fixture();
  const [a, b] = [uuid("01a1f5a5-db47-7001"), uuid("01a1f5a5-db47-7002")];
  await put(ann, a, b);
  await ann.cancel({ id: a });
  assert.deepEqual(await errorOf(ann, "01a1f5a5-db47"), {
    message: `Several ids start with "01a1f5a5-db47": 01a1f5a5-db47-7002 (notification, pending), 01a1f5a5-db47-7001 (notification, cancelled). Type more of the one you mean.`,
    code: "conflict",
    details: {
      id: "01a1f5a5-db47",
      candidates: [
        { id: b, kind: "notification", state: "pending" },
        { id: a, kind: "notification", state: "cancelled" },
      ],
    },
  });
  await put(ann, ...["1", "2", "3", "4"].map((digit) => uuid(`01a1f5a5-${digit}`)));
  const { message } = (await errorOf(ann, "01a1f5a5")) as { message: string };
  assert.equal(message.match(/\(notification, /g)?.length, 5);
  assert.match(message, /\), and more\. Type more of the one you mean\.$/);
  const korean = (await errorsIn("ko"))(message);
  assert.match(
    korean,
    /^"01a1f5a5"로 시작하는 id가 여럿입니다: .*\), 그 밖에 더 있음\. 더 길게 쓰세요\.$/,
  );
});

test("a record of another owner changes neither the answer nor the error", async () => {
  const alone = fixture();
  const shared = fixture();
  await put(shared.bob, uuid("01a1f5a5-db47-7"), uuid("01a1f5a5-db47-8"), uuid("01b"));
  for (const typed of ["01a1f5a5", "01a1f5a5-db47-7", uuid("01b").slice(0, 13)]) {
    assert.equal(await found(shared.ann, typed), undefined);
    assert.deepEqual(await errorOf(shared.ann, typed), await errorOf(alone.ann, typed));
  }
  const own = uuid("01a1f5a5-ee");
  await put(alone.ann, own);
  await put(shared.ann, own);
  assert.equal(await found(shared.ann, "01a1f5a5"), own);
  const second = uuid("01a1f5a5-ef");
  await put(alone.ann, second);
  await put(shared.ann, second);
  assert.deepEqual(await errorOf(shared.ann, "01a1f5a5"), await errorOf(alone.ann, "01a1f5a5"));
});

test("only records of the kinds that are asked for are found", async () => {
  const { ann } = fixture();
  const webhook = uuid("01a1f5a5-aa");
  await put(ann, one);
  await ann.append({ ...makeWebhook({ url: "https://example.org/", secret: "s" }), id: webhook });
  assert.equal(await found(ann, "01a1f5a5"), one);
  const both = [notificationKind, webhookKind] as const;
  await assert.rejects(findById(ann, "01a1f5a5", both), /01a1f5a5-aa47 \(webhook, active\)/);
});

test("a typed id is found by its start, and a number in it is typed whole", async () => {
  const { ann } = fixture();
  await put(ann, "task-20261118-107", "Deploy-Friday");
  const cases = [
    ["task-20261118-107", "task-20261118-107"],
    ["TASK-20261118-107", "task-20261118-107"],
    ["task-20261118-", "task-20261118-107"],
    ["task-20261118", "task-20261118-107"],
    ["task-20261118-10", undefined],
    ["Deploy-F", "Deploy-Friday"],
  ] as const;
  for (const [typed, id] of cases) assert.equal(await found(ann, typed), id, typed);
});

test("a whole id is not searched for, whether its record exists or not", async () => {
  const { ann } = fixture();
  await put(ann, one, "task-20261118-107");
  const book: Book = { ...ann, list: () => assert.fail("searched") };
  for (const id of [one, "task-20261118-107"]) assert.equal(await found(book, id), id);
  assert.equal(await found(book, uuid("01a1f5a6")), undefined);
});
