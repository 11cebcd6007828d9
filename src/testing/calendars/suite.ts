import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import {
  changeOf,
  type NotificationKind,
  notificationKind,
} from "../../features/notifications/index.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import { chance, intBelow } from "../chance.ts";
import { owner } from "./calendar-node.ts";
import { noFaults } from "./faulty-connector.ts";
import {
  flowsBack,
  isIdle,
  isRestored,
  keepsBook,
  leaves,
  survivesVanishing,
} from "./people-cases.ts";
import type { CalendarRig } from "./rig.ts";
import {
  addForeign,
  type Body,
  dayMinutes,
  differences,
  foreignEntries,
  isIdleNow,
  type Shown,
  shownIn,
} from "./shown-calendar.ts";

interface SuiteOptions {
  /** How many notifications are made. */
  readonly notifications?: number;
  readonly seed?: number;
}

/** What every service must show: the tests of the reconciler over calendars that this rig makes. */
export function calendarSuite(rig: CalendarRig, options: SuiteOptions = {}): void {
  const { notifications = 500, seed = 1 } = options;
  void describe(`a book shown in a calendar of ${rig.name}`, () => {
    after(() => rig.close?.());
    const inCalendar = (name: string, run: (at: Shown) => Promise<void>, body?: Body): void => {
      void test(name, async () => {
        const at = await shownIn(await rig.make(), seed, body);
        try {
          await run(at);
        } finally {
          await at.remote.close?.();
        }
      });
    };
    const edits = { editsFlowBack: true };
    inCalendar(
      `equals the projection after ${notifications} notifications were created, moved, cancelled and delivered at random, over a bad line`,
      (at) => randomHistory(at, notifications),
    );
    inCalendar("writes nothing when nothing has changed", isIdle);
    inCalendar("is written again where a person changed or removed an entry", isRestored);
    inCalendar("moves, rewords and cancels what a person changed in it", flowsBack, edits);
    inCalendar("keeps the book's version when both have changed", keepsBook, edits);
    inCalendar("cancels nothing when everything in it vanishes", survivesVanishing, edits);
    inCalendar("gives the entries back when it is deleted", leaves);
  });
}

async function randomHistory(at: Shown, count: number): Promise<void> {
  const { node, remote, faults, random } = at;
  const foreign = await addForeign(at);
  let made = 0;
  while (made < count) {
    for (let batch = intBelow(random, 60); batch >= 0 && made < count; batch -= 1) {
      made += 1;
      await at.add(
        `Number ${made}: 물 주기 & "tea"\nsecond line`,
        60 + intBelow(random, 20 * dayMinutes),
      );
    }
    await changeSome(at);
    Object.assign(faults, { lost: 0.05, cutOff: 0.01, refused: 0.03 });
    if (chance(random, 0.3)) faults.callsLeft = intBelow(random, 30);
    if (chance(random, 0.2)) await remote.forgetTokens?.();
    for (let attempts = 1 + intBelow(random, 3); attempts > 0; attempts -= 1) {
      await node.attempt();
      if (faults.callsLeft < 0) faults.callsLeft = Infinity;
    }
  }
  await settle(at);
  assert.deepEqual(await differences(at), []);
  assert.deepEqual(await foreignEntries(at), foreign);
  await isIdleNow(at);
}

/** Without faults, and with the brake let go by a person where it is on: until nothing is to be done. */
async function settle({ node, faults }: Shown): Promise<void> {
  Object.assign(faults, { ...noFaults(), writes: faults.writes });
  node.advance(7 * 3_600_000); // every backoff is over, and it is not yet time to list everything
  await node.converge();
  for (let rounds = 0; rounds < 3; rounds += 1) {
    const { body, outcome } = await node.calendar();
    const removals = outcome?.brake?.removals;
    if (removals === undefined) return;
    const asked = body.asked + 1;
    await node.edit({ asked, confirmed: { removals, asked } });
    await node.converge();
  }
}

/** Moves, cancels and delivers some of those that wait. */
async function changeSome({ node, random }: Shown): Promise<void> {
  const { book } = node;
  for await (const record of recordsIn(book, { kind: notificationKind, live: true })) {
    const kind = "notification";
    const { id } = record;
    switch (intBelow(random, 12)) {
      case 0: {
        const moved = record.body.at + (1 + intBelow(random, dayMinutes)) * 60_000;
        const change = { at: moved, message: `${record.body.message}!` };
        await book.edit(changeOf(record, change, { owner, profile: { zone: "Asia/Seoul" } }));
        break;
      }
      case 1:
        await book.cancel({ id });
        break;
      case 2: {
        const outcome = { receipt: { ok: true }, reason: null, maybeDelivered: false };
        await book.edit<NotificationKind>({ kind, id, ends: "delivered", outcome });
        break;
      }
      default:
    }
  }
}
