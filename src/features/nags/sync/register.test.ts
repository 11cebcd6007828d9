import assert from "node:assert/strict";
import { test } from "node:test";
import { bookFixture, type BookFixture } from "../../../../test/book-fixture.ts";
import { pull, push } from "../../../../test/sync-client.ts";
import type { Events } from "../../../kernel/events.ts";
import { is } from "../../../kernel/kind.ts";
import type { Profile } from "../../../kernel/profile.ts";
import { bus } from "../../../platform/event-bus.ts";
import { systemRandom } from "../../../platform/random.ts";
import { setProfile } from "../../accounts/operations/profile.ts";
import { plainProfile, readProfile } from "../../accounts/profile.ts";
import { type NotificationKind, notificationKind, parentWake } from "../../notifications/kind.ts";
import { nagController } from "../controller.ts";
import { nagKind } from "../kind.ts";
import { passOver } from "../pass.ts";
import { registerByPage } from "./register.ts";

async function zoneOf({ mina }: BookFixture, change: Partial<Profile>, timezone?: string) {
  const defaults = (): Profile => ({ ...mina.profile, ...change });
  const profileOf = (owner: string): Promise<Profile> => readProfile(mina.ledger, owner, defaults);
  const request = { page_id: "p", title: "t", timezone };
  const { id } = await registerByPage({ ...mina, readProfile: profileOf }, request, mina);
  const nag = await mina.ledger.of("mina", "x").get(id);
  return is(nagKind, nag) ? nag.body.zone : assert.fail();
}

test("a registered nag uses the requested zone, the owner's, or Seoul's", async () => {
  const host = { zone: "UTC", zoneFrom: "host" } as const;
  assert.equal(await zoneOf(bookFixture(), host, "Europe/Paris"), "Europe/Paris");
  assert.equal(
    await zoneOf(bookFixture(), { zone: "Europe/Rome", zoneFrom: "setting" }),
    undefined,
  );
  assert.equal(await zoneOf(bookFixture(), host), "Asia/Seoul");
  const at = bookFixture();
  await setProfile.run({ timezone: "Asia/Tokyo" }, at.mina);
  assert.equal(await zoneOf(at, host), undefined, "it follows the owner's zone");
});

test("registering a deleted page restores it only with a text", async () => {
  const { mina } = bookFixture();
  const first = await registerByPage(mina, { page_id: "p", title: "t" }, mina);
  await push(mina, { page: { deleted: ["p"] } }, (await pull(mina)).timestamp);
  await assert.rejects(registerByPage(mina, { page_id: "p" }, mina), { code: "not_found" });
  const again = await registerByPage(mina, { page_id: "p", body: "b" }, mina);
  assert.notEqual(again.id, first.id);
  assert.equal(again.sent_count, 1);
});

test("registering a page undoes the done of a leased nag", async () => {
  const at = bookFixture();
  const { id } = await registerByPage(at.mina, { page_id: "p", title: "t" }, at.mina);
  const claim = { kind: nagKind, holder: "n", leaseMs: 60_000, limit: 1 } as const;
  await at.ledger.work.claim(claim);
  const book = at.ledger.of("mina", "x");
  const nag = await book.get(id);
  assert.ok(is(nagKind, nag));
  await book.edit({ kind: "nag", id, body: { ...nag.body, isDone: true } });
  assert.equal((await registerByPage(at.mina, { page_id: "p" }, at.mina)).id, id);
  const after = await book.get(id);
  assert.equal(is(nagKind, after) ? after.body.isDone : "none", undefined);
});

test("`last_notification_id`: 마지막 푸시 알림 ID: it is what the push service answered", async () => {
  const at = bookFixture();
  const profile: Profile = { ...at.mina.profile, home: "ntfy:mina" };
  const installation = { ...at.mina, readProfile: () => Promise.resolve(profile) };
  const { id } = await registerByPage(installation, { page_id: "p", title: "t" }, at.mina);
  const controller = nagController({
    ledger: at.ledger,
    profile: () => Promise.resolve(plainProfile),
  });
  const ports = {
    work: at.ledger.work,
    clock: at.clock,
    random: systemRandom(),
    events: bus<Events>(),
  };
  const pass = passOver(controller, ports, { holder: "cron" });
  await pass(10);
  const claim = { kind: notificationKind, holder: "n", leaseMs: 60_000, limit: 1 } as const;
  const { records } = await at.ledger.work.claim(claim);
  const [sent] = records;
  assert.ok(sent);
  const outcome = { receipt: { id: "push-7" }, reason: null, maybeDelivered: false };
  await at.ledger.work.settle<NotificationKind>([
    {
      id: sent.id,
      fence: sent.lease.fence,
      revision: sent.revision,
      ends: "delivered",
      outcome,
      consequences: parentWake(sent),
    },
  ]);
  await pass(10);
  const pulled = await pull(at.mina);
  const [alarm] = pulled.changes.alarm.created;
  assert.deepEqual([alarm?.id, alarm?.last_notification_id, alarm?.sent_count], [id, "push-7", 2]);
});

test("좀비 프로세스: a claim older than its lease is taken over, and its first holder changes nothing", async () => {
  const at = bookFixture();
  const { id } = await registerByPage(at.mina, { page_id: "p", title: "t" }, at.mina);
  const claim = { kind: nagKind, leaseMs: 60_000, limit: 1 } as const;
  const [zombie] = (await at.ledger.work.claim({ ...claim, holder: "zombie" })).records;
  assert.equal(zombie?.id, id);
  at.clock.advance(59_999);
  assert.deepEqual((await at.ledger.work.claim({ ...claim, holder: "other" })).records, []);
  at.clock.advance(1);
  const [taken] = (await at.ledger.work.claim({ ...claim, holder: "other" })).records;
  assert.equal(taken?.id, id);
  assert.ok(taken.lease.fence > zombie.lease.fence);
});
