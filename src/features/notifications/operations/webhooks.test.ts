import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, withRunners } from "../../../../test/book-fixture.ts";
import { hasCode } from "../../../platform/errors.ts";
import { permit } from "../../../platform/permit.ts";
import { createSchedule } from "../../schedules/operations/create.ts";
import { deleteWebhook, listWebhooks, registerWebhook } from "./webhooks.ts";

const page = { limit: 50 };
const url = "https://example.org/hook";

describe("a webhook", () => {
  test("shows its secret once, and not in a list", async () => {
    const at = bookFixture();
    const made = await registerWebhook.run({ url, name: "build" }, at.mina);
    assert.match(made.secret, /^whsec_/);
    assert.equal(made.target, `webhook:${made.id}`);
    assert.ok(registerWebhook.render(made, at.reader()).includes(made.secret));
    const { secret, fresh: _, ...rest } = made;
    const listed = await listWebhooks.run(page, at.mina);
    assert.deepEqual(listed, { webhooks: [rest], next: null });
    assert.ok(!listWebhooks.render(listed, at.reader()).includes(secret));
    assert.equal(
      listWebhooks.render(listed, at.reader()),
      `${made.target}  ${url}  build  now  08:00`,
    );
  });
  test("with a URL that the sender would refuse is refused", async () => {
    const { mina } = bookFixture();
    const runners = { http: (asked: string) => void permit(asked, ["intranet:80"]) };
    const refused = registerWebhook.run(
      { url: "http://localhost:1/x" },
      withRunners(mina, runners),
    );
    await assert.rejects(refused, { code: "refused", message: /list localhost:1 in DAYBOOK_W/ });
    const call = { when: "every day", run: { http: "http://localhost:1/x" } };
    await assert.rejects(createSchedule.run(call, withRunners(mina, runners)), { code: "refused" });
    await registerWebhook.run({ url: "http://intranet/x" }, withRunners(mina, runners));
  });
  test("has a secret of its own", async () => {
    const { mina } = bookFixture();
    const one = await registerWebhook.run({ url }, mina);
    const other = await registerWebhook.run({ url }, mina);
    assert.notEqual(one.secret, other.secret);
  });
  test("that was removed is not listed, and a second removal reports it", async () => {
    const at = bookFixture();
    const { id } = await registerWebhook.run({ url }, at.mina);
    assert.deepEqual(await deleteWebhook.run({ id }, at.mina), { id, deleted: true });
    assert.deepEqual(await deleteWebhook.run({ id }, at.mina), { id, deleted: false });
    const none = await listWebhooks.run(page, at.mina);
    assert.equal(listWebhooks.render(none, at.reader()), "There are no webhooks.");
  });
  test("of another owner is neither listed nor removed", async () => {
    const at = bookFixture();
    const { id } = await registerWebhook.run({ url }, at.mina);
    assert.deepEqual((await listWebhooks.run(page, at.jun)).webhooks, []);
    await assert.rejects(deleteWebhook.run({ id }, at.jun), (error) => hasCode(error, "not_found"));
    assert.equal((await listWebhooks.run(page, at.mina)).webhooks.length, 1);
  });
  test("is listed page by page", async () => {
    const { mina } = bookFixture();
    for (let count = 0; count < 3; count += 1) await registerWebhook.run({ url }, mina);
    const first = await listWebhooks.run({ limit: 2 }, mina);
    const second = await listWebhooks.run({ limit: 2, after: first.next ?? "" }, mina);
    assert.deepEqual([first.webhooks.length, second.webhooks.length, second.next], [2, 1, null]);
  });
});

describe("a webhook requested with a key", () => {
  const keyed = { url, name: "build", key: "k" };

  test("is the first webhook with its secret when the request is repeated", async () => {
    const at = bookFixture();
    const first = await registerWebhook.run(keyed, at.mina);
    const again = await registerWebhook.run(keyed, at.mina);
    assert.deepEqual(again, { ...first, fresh: false });
    assert.equal((await listWebhooks.run(page, at.mina)).webhooks.length, 1);
    assert.match(registerWebhook.render(again, at.reader()), /^Already registered with this key\./);
    const theirs = await registerWebhook.run(keyed, at.jun);
    assert.ok(theirs.fresh && theirs.id !== first.id && theirs.secret !== first.secret);
  });
  test("is refused if another webhook used the key", async () => {
    const { mina } = bookFixture();
    const { id } = await registerWebhook.run(keyed, mina);
    await assert.rejects(
      registerWebhook.run({ ...keyed, url: `${url}/other` }, mina),
      (error) =>
        hasCode(error, "conflict") &&
        error.message === `The key "k" stands for another webhook, ${id}: choose another key.`,
    );
  });
  test("is not created again after a removal", async () => {
    const { mina } = bookFixture();
    const { id } = await registerWebhook.run(keyed, mina);
    await deleteWebhook.run({ id }, mina);
    await assert.rejects(
      registerWebhook.run(keyed, mina),
      (error) => hasCode(error, "ended") && error.details["id"] === id,
    );
  });
});

test("concurrent requests create at most fifty webhooks of an owner", async () => {
  const { mina, jun } = bookFixture();
  const asked = await Promise.allSettled(
    Array.from({ length: 53 }, () => registerWebhook.run({ url }, mina)),
  );
  const refused = asked.filter(({ status }) => status === "rejected");
  assert.equal(refused.length, 3);
  await assert.rejects(
    registerWebhook.run({ url }, mina),
    (error) =>
      hasCode(error, "held") &&
      error.message === 'The book of "mina" is at its limit of 50 webhooks: remove one first.',
  );
  await registerWebhook.run({ url }, jun);
  const { webhooks } = await listWebhooks.run({ limit: 100 }, mina);
  assert.equal(webhooks.length, 50);
  await deleteWebhook.run({ id: webhooks[0]?.id ?? "" }, mina);
  await registerWebhook.run({ url }, mina);
});
