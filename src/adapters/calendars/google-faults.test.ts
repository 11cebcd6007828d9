import assert from "node:assert/strict";
import { test } from "node:test";
import type { CalendarConnector } from "../../features/calendars/index.ts";
import {
  changeOf,
  makeNotification,
  notificationKind,
  type NotificationKind,
} from "../../features/notifications/index.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import { seededRandom, type Random } from "../../platform/random.ts";
import { calendarNode, owner, type CalendarNode } from "../../testing/calendars/calendar-node.ts";
import { timeMs } from "../../testing/calendars/google-body.ts";
import { googleAccount, googleNode } from "../../testing/calendars/google-rig.ts";
import { googleServer, type GoogleServer } from "../../testing/calendars/google-server.ts";
import { intBelow } from "../../testing/chance.ts";
import { json, type Behaviour } from "../../testing/chats/peer.ts";

/** Answers that are lost, quotas, outages, and tokens that end early. */
function faultsOf(server: GoogleServer, random: Random): () => Behaviour {
  const over = (status: number, reason: string): Behaviour =>
    json(status, { error: { message: "Later.", errors: [{ reason }] } });
  const faults: readonly (() => Behaviour)[] = [
    () => "lose",
    () => "down",
    () => over(503, "backendError"),
    () => over(403, "userRateLimitExceeded"),
    () => over(429, "rateLimitExceeded"),
    () => {
      server.oauth.expireAccess();
      return "accept";
    },
    () => {
      server.forgetTokens();
      return "accept";
    },
  ];
  return () => faults[intBelow(random, 20)]?.() ?? "accept";
}

/** Creates, moves, cancels and delivers some notifications. */
async function changeBook({ book, now }: CalendarNode, random: Random): Promise<void> {
  for (let made = intBelow(random, 20); made > 0; made -= 1) {
    const at = now() + (60 + intBelow(random, 10_000)) * 60_000;
    const message = `Number ${intBelow(random, 1_000_000)}`;
    const target = `inbox:${owner}`;
    await book.append(makeNotification({ message, at, atText: "later", target, origin: null }));
  }
  for await (const record of recordsIn(book, { kind: notificationKind, live: true })) {
    const { id, body, kind } = record;
    const chosen = intBelow(random, 8);
    if (chosen === 0) await book.cancel({ id });
    if (chosen === 1) {
      const change = { at: body.at + 3_600_000, message: `${body.message}!` };
      await book.edit(changeOf(record, change, { owner, profile: { zone: "Asia/Seoul" } }));
    }
    if (chosen === 2) {
      const outcome = { receipt: { ok: true }, reason: null, maybeDelivered: false };
      await book.edit<NotificationKind>({ kind, id, ends: "delivered", outcome });
    }
  }
}

for (const seed of [1, 2, 3]) {
  test(`Google shows the book after lost answers, quotas and forgotten tokens (${seed})`, async (t) => {
    const server = await googleServer(t);
    const random = seededRandom(seed);
    const connector = googleNode(server) as CalendarConnector; // it is given accounts of Google alone
    const node = await calendarNode({ account: googleAccount(server), connector, seed });
    const faults = faultsOf(server, random);
    const meeting = { dateTime: "2026-12-01T09:00:00+09:00" };
    server
      .person()
      .add({ summary: "Standup", start: meeting, end: { dateTime: "2026-12-01T10:00:00+09:00" } });
    for (let rounds = 0; rounds < 25; rounds += 1) {
      await changeBook(node, random);
      server.always(faults);
      await node.attempt();
    }
    server.always("accept");
    node.advance(24 * 3_600_000);
    await node.converge();
    const { outcome, body } = await node.calendar();
    const removals = outcome?.brake?.removals;
    if (removals !== undefined) {
      await node.edit({ asked: body.asked + 1, confirmed: { removals, asked: body.asked + 1 } });
      await node.converge();
    }
    const wanted: string[] = [`Standup ${Date.parse(meeting.dateTime)}`];
    for await (const record of recordsIn(node.book, { kind: notificationKind, live: true })) {
      const second = Math.floor(record.body.at / 1_000) * 1_000;
      wanted.push(`${record.body.message} ${second}`);
    }
    const there = server.person().events();
    const shown = there.map(({ summary, start }) => `${summary} ${timeMs(start, "UTC")}`);
    assert.deepEqual(shown.toSorted(), wanted.toSorted());
    assert.ok(there.length > 20, "too little is left to compare");
    const writes = server.writes();
    for (let passes = 0; passes < 3; passes += 1) {
      assert.equal(await node.attempt(), "unchanged");
    }
    assert.equal(server.writes(), writes);
  });
}
