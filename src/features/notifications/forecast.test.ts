import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, eight, type BookFixture } from "../../../test/book-fixture.ts";
import type { Context } from "../../kernel/operation.ts";
import type { Claimed } from "../../kernel/record.ts";
import { pauseEverything } from "../book/pauses.ts";
import { digestId } from "./digest.ts";
import { type NotificationKind, notificationKind } from "./kind.ts";
import { list } from "./operations/list.ts";
import { remind } from "./operations/remind.ts";
import { show } from "./operations/show.ts";
import { waitForQuietEnd } from "./wait-verdict.ts";

const minuteMs = 60_000;
const night = { quiet: { from: "22:00", to: "07:00" } };

interface Case {
  readonly request?: Partial<Parameters<typeof remind.run>[0]>;
  readonly quiet?: { readonly from: string; readonly to: string };
  /** Inputs of a pause. */
  readonly pause?: Parameters<typeof pauseEverything.run>[0];
  readonly origin?: null;
  happen?(at: BookFixture, id: string): Promise<unknown> | void;
  /** The local time of `next_at`. */
  readonly at: string | null;
  readonly for: string | null;
  readonly until?: string | null;
  readonly en?: string;
  readonly ko?: string;
}

async function claim(at: BookFixture): Promise<Claimed<NotificationKind>> {
  const request = { kind: notificationKind, holder: "node-a", leaseMs: 15_000, limit: 1 } as const;
  const [record] = (await at.ledger.work.claim(request)).records;
  assert.ok(record);
  return record;
}

async function fail(at: BookFixture, id: string): Promise<void> {
  at.clock.advance(30 * minuteMs);
  const { lease } = await claim(at);
  const outcome = { receipt: null, reason: "503 from the server", maybeDelivered: false };
  const wakeAt = at.clock.wall() + 4 * minuteMs;
  await at.ledger.work.settle([
    { id, fence: lease.fence, revision: 1, state: "pending", wakeAt, outcome },
  ]);
}

const cases: Record<string, Case> = {
  "that only waits for its time": { at: "08:30", for: null },
  "that is due in quiet hours": {
    quiet: { from: "08:15", to: "09:00" },
    at: "09:00",
    for: "quiet_hours",
    until: "09:00",
    en: "quiet hours until Mon 16 Nov 2026 09:00:00",
    ko: "2026년 11월 16일 (월) 오전 9:00:00까지 조용한 시간입니다",
  },
  "of high priority in quiet hours": {
    quiet: { from: "08:15", to: "09:00" },
    request: { priority: "high" },
    at: "08:30",
    for: null,
  },
  "that its digest will send": {
    quiet: { from: "08:15", to: "09:00" },
    async happen(at, id) {
      at.clock.advance(30 * minuteMs);
      const record = await claim(at);
      const verdict = waitForQuietEnd(record, eight + 60 * minuteMs);
      assert.ok("state" in verdict && verdict.wakeAt === eight + 61 * minuteMs);
      assert.equal(
        verdict.outcome?.digest,
        digestId("mina", "stdout:daemon", eight + 60 * minuteMs),
      );
      await at.ledger.work.settle([{ id, fence: record.lease.fence, revision: 1, ...verdict }]);
    },
    at: "09:00",
    for: "quiet_hours",
    until: "09:00",
  },
  "that expires in quiet hours": {
    quiet: { from: "08:15", to: "09:00" },
    request: { expires_at: "+45m" },
    at: null,
    for: "expiry",
    until: "08:45",
    en: "it expires on Mon 16 Nov 2026 08:45:00, before it can be sent",
    ko: "보내기 전에 2026년 11월 16일 (월) 오전 8:45:00에 만료됩니다",
  },
  "that a pause covers until a time": {
    pause: { until: "+2h", reason: "holiday" },
    at: "10:00",
    for: "paused",
    until: "10:00",
    en: "paused: owner mina, until Mon 16 Nov 2026 10:00:00 (holiday)",
    ko: "owner mina: 2026년 11월 16일 (월) 오전 10:00:00까지 일시 정지 중입니다 (holiday)",
  },
  "that a pause covers until it is resumed": {
    pause: {},
    at: null,
    for: "paused",
    until: null,
    en: "paused: owner mina",
    ko: "owner mina: 일시 정지 중입니다",
  },
  "that is due after the end of a pause": { pause: { until: "+10m" }, at: "08:30", for: null },
  "whose pause ends in quiet hours": {
    pause: { until: "+1h" },
    quiet: { from: "08:45", to: "11:00" },
    at: "11:00",
    for: "quiet_hours",
    until: "11:00",
  },
  "that failed and is sent again": {
    happen: fail,
    at: "08:34",
    for: "retry",
    until: "08:34",
    en: "attempt 1 failed (503 from the server); the next is on Mon 16 Nov 2026 08:34:00",
    ko: "1번째 시도에 실패했습니다(503 from the server). 다음 시도: 2026년 11월 16일 (월) 오전 8:34:00",
  },
  "that is being sent": {
    async happen(at) {
      at.clock.advance(30 * minuteMs + 1_000);
      await claim(at);
    },
    at: "08:30:01",
    for: "attempt",
    until: null,
    en: "in progress on node-a",
    ko: "node-a에서 처리 중입니다",
  },
  "behind others for its target": {
    async happen({ ledger }) {
      const to = eight + 60 * minuteMs;
      await ledger.work.move({ queue: "notification", lane: "stdout:daemon", to, limit: 9 });
    },
    at: "09:00",
    for: "lane",
    until: "09:00",
    en: "behind others for stdout:daemon",
    ko: "stdout:daemon으로 보내는 앞선 알림을 기다립니다",
  },
  "that nobody listens for": {
    origin: null,
    happen: ({ clock }) => clock.advance(45 * minuteMs),
    at: "08:30",
    for: "listener",
    until: null,
    en: "it is delivered as soon as a listener attaches to inbox:mina: daybook attach",
    ko: "inbox:mina에 연결하면 바로 전달됩니다: daybook attach",
  },
  "that no node has taken": {
    happen: ({ clock }) => clock.advance(45 * minuteMs),
    at: "08:30",
    for: "node",
    until: null,
    en: "due for 15 min; if that is long, check that `daybook start` is running",
    ko: "15분째 처리를 기다립니다. 오래 걸리면 `daybook start`가 실행 중인지 확인하세요",
  },
  "that was cancelled": {
    happen: ({ ledger }, id) => ledger.of("mina", "mina").cancel({ id }),
    at: null,
    for: null,
  },
};

function local(time: string | null): string | null {
  if (time === null) return null;
  const wall = Temporal.Instant.from(time).toZonedDateTimeISO("Asia/Seoul").toPlainTime();
  return wall.toString().replace(/^(\d\d:\d\d):00$/, "$1");
}

/** A reminder in half an hour, after what happens in the case. */
async function prepared(each: Case): Promise<{ id: string; mina: Context }> {
  const at = bookFixture();
  const { quiet = null, origin = at.mina.origin } = each;
  const mina: Context = { ...at.mina, origin, profile: { ...at.mina.profile, quiet } };
  const { id } = await remind.run({ message: "hi", at: "+30m", ...each.request }, mina);
  if (each.pause !== undefined) await pauseEverything.run(each.pause, mina);
  await each.happen?.(at, id);
  return { id, mina };
}

describe("the forecast of a notification", () => {
  for (const [name, each] of Object.entries(cases)) {
    test(name, async () => {
      const { id, mina } = await prepared(each);
      const { next_at: at, waiting } = await show.run({ id }, mina);
      const { for: reason = null, until = null } = waiting ?? {};
      assert.deepEqual([local(at), reason, local(until)], [each.at, each.for, each.until ?? null]);
      if (each.en !== undefined) assert.equal(waiting?.text, each.en);
      const korean = { ...mina, profile: { ...mina.profile, language: "ko" as const } };
      const inKorean = await show.run({ id }, korean);
      if (each.ko !== undefined) assert.equal(inKorean.waiting?.text, each.ko);
      const { notifications } = await list.run({ all: true, limit: 5 }, mina);
      const listed = notifications.find((one) => one.id === id);
      assert.deepEqual([listed?.next_at, listed?.waiting], [at, waiting]);
    });
  }
  test("reads quiet hours in the owner's zone, whatever zone the request has", async () => {
    const { mina } = bookFixture();
    const profile = { ...mina.profile, ...night };
    const asked = { message: "hi", at: "2026-11-16 14:30", timezone: "UTC" };
    const { next_at: at, waiting } = await remind.run(asked, { ...mina, profile });
    assert.equal(at, "2026-11-16T22:00:00Z");
    assert.equal(waiting?.for, "quiet_hours");
  });
});
