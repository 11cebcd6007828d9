import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture, withRunners } from "../../../../test/book-fixture.ts";
import { is } from "../../../kernel/kind.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { permit } from "../../../platform/permit.ts";
import { listWebhooks } from "../../notifications/operations/webhooks.ts";
import { changeMessage } from "../subscription-delivery.ts";
import { nothingSent, type SubscriptionKind, subscriptionKind } from "../subscription.ts";
import {
  deleteSubscription,
  listSubscriptions,
  replaySubscription,
  resumeSubscription,
  subscribe,
} from "./subscriptions.ts";

const url = "https://example.org/changes";
const page = { limit: 50 };
const asked = (input: object = {}) => subscribe.input.parse({ url, ...input });

/** A subscription of which one change did not arrive. */
async function stuck({ mina }: BookFixture, state: "active" | "paused"): Promise<string> {
  const { id } = await subscribe.run(asked(), mina);
  const book = mina.ledger.of("mina", "mina");
  const change = { kind: "event", id: "evt-8", state: "pending", seq: 8, at: 1_000 };
  const messages = [{ id: "chg-1", change }];
  await book.append(changeMessage("w", { id: "chg-1", change }, Date.now() * 2));
  const inFlight = { to: "9", seq: 8, messages };
  const checkpoints = [{ seq: 1, cursor: "3" }];
  const outcome = {
    ...nothingSent,
    cursor: "5",
    seq: 7,
    inFlight,
    checkpoints,
    failures: 3,
    reason: "410",
  };
  await book.edit({ kind: "subscription", id, state, outcome, wakeAt: null });
  return id;
}

async function found({ mina }: BookFixture, id: string): Promise<LedgerRecord<SubscriptionKind>> {
  const record = await mina.ledger.of("mina", "mina").get(id);
  return is(subscriptionKind, record) ? record : assert.fail(id);
}

describe("a subscription", () => {
  test("has a webhook of its own, and is listed without its secret", async () => {
    const at = bookFixture();
    const made = await subscribe.run(
      asked({ kinds: "event, task,event", states: ["failed"] }),
      at.mina,
    );
    assert.match(made.secret, /^whsec_/);
    assert.deepEqual([made.kinds, made.states], [["event", "task"], ["failed"]]);
    const { secret, fresh: _, ...rest } = made;
    const listed = await listSubscriptions.run(page, at.mina);
    assert.deepEqual(listed, { subscriptions: [rest], next: null });
    const said = listSubscriptions.render(listed, at.reader());
    assert.equal(said, `${made.id}  active  ${url}  event, task  0`);
    assert.ok(subscribe.render(made, at.reader("ko")).includes(secret));
    assert.equal((await listWebhooks.run(page, at.mina)).webhooks[0]?.url, url);
  });

  test("shows in the list why the last change was not delivered", async () => {
    const at = bookFixture();
    const id = await stuck(at, "paused");
    const listed = await listSubscriptions.run(page, at.mina);
    const said = listSubscriptions.render(listed, at.reader());
    assert.equal(said, `${id}  paused  ${url}  event, task, question  7  410`);
  });

  test("is the same for the same key, and another body with the key is refused", async () => {
    const { mina } = bookFixture();
    const first = await subscribe.run(asked({ key: "k" }), mina);
    const again = await subscribe.run(asked({ key: "k" }), mina);
    assert.deepEqual(again, { ...first, fresh: false });
    assert.equal((await listWebhooks.run(page, mina)).webhooks.length, 1);
    const other = subscribe.run(asked({ key: "k", kinds: "nag" }), mina);
    await assert.rejects(other, { code: "conflict", message: /stands for another subscription/ });
  });

  test("is refused for an unknown kind, an impossible state or a forbidden URL", async () => {
    const { mina } = bookFixture();
    const cases: readonly [object, RegExp][] = [
      [
        { kinds: "token" },
        /"token" is not a kind of record that can be subscribed to. Choose from: event, task/,
      ],
      [{ kinds: "" }, /"kinds" is empty: choose from/],
      [{ kinds: "event", states: "delivered" }, /"delivered" is not a state of any event/],
      [{ url: "nonsense" }, /must be a full http or https URL/],
    ];
    for (const [input, message] of cases) {
      await assert.rejects(subscribe.run(asked(input), mina), { code: "invalid", message });
    }
    const runners = { http: (where: string) => void permit(where, []) };
    const near = subscribe.run(asked({ url: "http://localhost:1/" }), withRunners(mina, runners));
    await assert.rejects(near, { code: "refused" });
    assert.deepEqual((await listWebhooks.run(page, mina)).webhooks, []);
  });

  test("is limited to twenty in a book", async () => {
    const { mina, jun } = bookFixture();
    for (let left = 20; left > 0; left -= 1) await subscribe.run(asked(), mina);
    const more = subscribe.run(asked(), mina);
    await assert.rejects(more, {
      code: "held",
      message: /is at its limit of 20 subscriptions: delete one first/,
    });
    await subscribe.run(asked(), jun);
  });

  test("of another owner is not found", async () => {
    const at = bookFixture();
    const id = await stuck(at, "paused");
    assert.deepEqual((await listSubscriptions.run(page, at.jun)).subscriptions, []);
    for (const operation of [deleteSubscription, resumeSubscription]) {
      await assert.rejects(operation.run({ id }, at.jun), { code: "not_found" });
    }
    await assert.rejects(replaySubscription.run({ id, from: 1 }, at.jun), { code: "not_found" });
  });

  test("ends with its webhook and its messages in flight when it is deleted", async () => {
    const at = bookFixture();
    const id = await stuck(at, "active");
    assert.deepEqual(await deleteSubscription.run({ id }, at.mina), { id, deleted: true });
    assert.deepEqual(await deleteSubscription.run({ id }, at.mina), { id, deleted: false });
    assert.deepEqual((await listWebhooks.run(page, at.mina)).webhooks, []);
    const message = await at.mina.ledger.of("mina", "mina").get("chg-1");
    assert.equal(message?.state, "cancelled");
  });
});

describe("a paused subscription", () => {
  test("resumes with undelivered changes, under their numbers, in one unit", async () => {
    const at = bookFixture();
    const id = await stuck(at, "paused");
    const shown = await resumeSubscription.run({ id }, at.mina);
    assert.deepEqual([shown.state, shown.seq, shown.reason], ["active", 7, null]);
    assert.equal(resumeSubscription.render(shown, at.reader()), "Resumed after #7.");
    const { outcome } = await found(at, id);
    const [message = assert.fail()] = outcome?.inFlight?.messages ?? [];
    assert.notEqual(message.id, "chg-1");
    const told = await at.mina.ledger.of("mina", "mina").get(message.id);
    assert.deepEqual([told?.kind, told?.parent], ["notification", id]);
    const { changes } = await at.mina.ledger.of("mina", "mina").changes({ limit: 500 });
    assert.deepEqual(
      changes.slice(-2).map((change) => change.id),
      [id, message.id],
    );
  });

  test("stays as it is on a second resume", async () => {
    const at = bookFixture();
    const id = await stuck(at, "active");
    const { revision } = await found(at, id);
    await resumeSubscription.run({ id }, at.mina);
    assert.equal((await found(at, id)).revision, revision);
  });

  test("replays from a number that was sent, and from no other", async () => {
    const at = bookFixture();
    const id = await stuck(at, "paused");
    const far = replaySubscription.run({ id, from: 9 }, at.mina);
    await assert.rejects(far, {
      code: "invalid",
      message: /There is no change 9 yet: the last one is 8/,
    });
    const shown = await replaySubscription.run({ id, from: 3 }, at.mina);
    assert.deepEqual([shown.state, shown.from], ["active", 3]);
    assert.equal(
      replaySubscription.render(shown, at.reader("ko")),
      "#3부터 모든 변경을 다시 전송합니다.",
    );
    const { outcome } = await found(at, id);
    assert.deepEqual([outcome?.cursor, outcome?.skipTo, outcome?.inFlight], ["3", 3, null]);
  });
});
