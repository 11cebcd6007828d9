import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, eight } from "../../../test/book-fixture.ts";
import { calendarHere } from "../../../test/calendars-here.ts";
import { operations } from "../index.ts";
import { busyUntil } from "../notifications/index.ts";
import { busyAfter } from "./busy.ts";
import { entryId } from "./kind.ts";
import { nothingKnown } from "./reading.ts";
import { nothingSynced } from "./verdict.ts";

const hour = 3_600_000;
const entry = (remoteId: string, from: number, to: number) => ({
  id: null,
  location: { remoteId, etag: "1" },
  content: null,
  busy: [{ from, to }],
});

describe("busy times", () => {
  test("end with the last of meetings that follow without a pause", () => {
    const times = [
      { from: 10, to: 20 },
      { from: 20, to: 30 },
      { from: 31, to: 40 },
    ];
    assert.deepEqual(
      [5, 10, 19, 20, 29, 30, 35].map((at) => busyUntil(at, times)),
      [undefined, 30, 30, 30, 30, undefined, 40],
    );
  });
  test("follow what changes in the calendar, and forget what has passed", () => {
    const first = busyAfter([], { isComplete: true }, [entry("/a", 5, 10), entry("/b", 20, 30)], 7);
    assert.deepEqual(
      first.map(({ by }) => by),
      ["/a", "/b"],
    );
    const moved = busyAfter(first, { isComplete: false }, [entry("/b", 40, 50)], 12);
    assert.deepEqual(moved, [{ from: 40, to: 50, by: "/b" }]);
    const removed = { ...entry("/b", 0, 0), busy: [] };
    assert.deepEqual(busyAfter(moved, { isComplete: false }, [removed], 12), []);
  });
  test("hold back a reminder, unless it is urgent, and say until when", async () => {
    const { mina } = bookFixture();
    const busy = [{ from: eight + hour, to: eight + 2 * hour, by: "/meeting" }];
    const draft = calendarHere(false);
    const body = { ...draft.body, isBusy: true };
    const outcome = { ...nothingSynced, busy };
    await mina.ledger.of("mina", "mina").append({ ...draft, body, outcome });
    const at = "2026-11-16T09:30:00+09:00";
    const ask = async (priority: "normal" | "high") => {
      const input = { message: priority, at, priority };
      return operations.remind.run(operations.remind.input.parse(input), mina);
    };
    const [normal, high] = [await ask("normal"), await ask("high")];
    assert.deepEqual(normal.waiting?.for, "meeting");
    assert.match(normal.waiting?.text ?? "", /a meeting until .*10:00/);
    assert.equal(normal.next_at, "2026-11-16T01:00:00Z");
    assert.equal(high.waiting, null);
  });
});

describe("the view of a notification", () => {
  test("names its entry in the calendar, and is without one where the owner has no calendar", async () => {
    const { mina } = bookFixture();
    const input = { message: "tea", at: "tomorrow 9am" };
    const { id } = await operations.remind.run(operations.remind.input.parse(input), mina);
    const show = () => operations.show.run({ id }, { ...mina });
    assert.deepEqual([(await show()).calendar, (await show()).gcal_event_id], [null, null]);
    const book = mina.ledger.of("mina", "mina");
    const account = {
      type: "google",
      calendarId: "primary",
      clientId: "c",
      refreshToken: { env: "TOKEN" },
    } as const;
    const draft = calendarHere(false);
    const { id: calendar } = await book.append({ ...draft, body: { ...draft.body, account } });
    const url = "https://calendar.google.com/e";
    const location = { remoteId: "event-1", etag: "1", url };
    await book.append({
      kind: "calendar_entry",
      id: entryId(calendar, id),
      parent: calendar,
      body: { record: id, recordKind: "notification" },
      outcome: { ...nothingKnown, location },
      state: "active",
    });
    const view = await show();
    assert.deepEqual(view.calendar, { name: "Work", event_id: "event-1", state: "synced", url });
    assert.equal(view.gcal_event_id, "event-1");
    const all = await operations.list.run(operations.list.input.parse({}), { ...mina });
    assert.deepEqual(
      all.notifications.map((each) => each.gcal_event_id),
      ["event-1"],
    );
  });
});
