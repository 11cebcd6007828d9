import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { entryId, type EntryContent } from "../../features/calendars/index.ts";
import { readEvent } from "../../testing/calendars/google-body.ts";
import { entryOf, eventBody, ownId, wholeBody } from "./google-entry.ts";
import { googleEvent, type GoogleEvent } from "./google-event.ts";

const id = entryId("calendar", "record");
const content: EntryContent = {
  title: "Pills",
  description: "With water.",
  at: Date.parse("2026-03-02T00:00:00Z"),
  zone: "Asia/Seoul",
  minutes: 30,
};

/** What Google keeps of an event that is written. */
function kept(written: object, change: object = {}): GoogleEvent {
  return googleEvent.parse({ ...readEvent(written), ...change });
}

const zones = [
  "Asia/Seoul",
  "America/New_York",
  "UTC",
  "+09:00",
  "-05:00",
  "+05:30",
  "Asia/Kolkata",
];
const contents = fc
  .record({
    title: fc.string({ unit: "grapheme" }),
    description: fc.string({ unit: "grapheme" }),
    seconds: fc.integer({ min: 0, max: 4_000_000_000 }),
    zone: fc.constantFrom(...zones),
    minutes: fc.integer({ min: 1, max: 3_000 }),
    isDay: fc.boolean(),
    isDone: fc.boolean(),
    rule: fc.constantFrom(undefined, "FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO"),
  })
  .map(({ seconds, isDay, isDone, rule, ...rest }): EntryContent => ({
    ...rest,
    at: seconds * 1_000,
    ...(isDay && { allDay: true }),
    ...(isDone && { isDone: true }),
    ...(rule && { recurrence: rule }),
  }));

describe("an entry at Google", () => {
  test("is read back as it was written", () => {
    fc.assert(
      fc.property(contents, (given) => {
        const read = entryOf(kept(wholeBody(id, given)), "Europe/Paris");
        assert.deepEqual(read?.content, given);
        assert.equal(read?.id, id);
      }),
    );
  });
  test("ends, when it fills a day, with the beginning of the next one", () => {
    const day = { ...content, allDay: true, minutes: 1_440 } as const;
    const { start, end, recurrence } = eventBody(id, day);
    assert.deepEqual(start, { date: "2026-03-02", dateTime: null, timeZone: null });
    assert.deepEqual(end, { date: "2026-03-03", dateTime: null, timeZone: null });
    assert.equal(recurrence, null);
  });
  test("rings once when it begins, takes no time, and is silent when it is done", () => {
    const { reminders, transparency, start } = wholeBody(id, content);
    assert.deepEqual(reminders, {
      useDefault: false,
      overrides: [{ method: "popup", minutes: 0 }],
    });
    assert.equal(transparency, "transparent");
    assert.deepEqual(start, { dateTime: "2026-03-02T09:00:00+09:00", timeZone: "Asia/Seoul" });
    const done = wholeBody(id, { ...content, isDone: true });
    assert.deepEqual(done["reminders"], { useDefault: false, overrides: [] });
  });
  test("that a person moved has their time, in its own zone", () => {
    const start = { dateTime: "2026-03-03T08:00:00Z", timeZone: "Europe/Paris" };
    const end = { dateTime: "2026-03-03T09:00:00Z", timeZone: "Europe/Paris" };
    const moved = entryOf(kept(wholeBody(id, content), { start, end }), "UTC")?.content;
    assert.deepEqual(
      [moved?.at, moved?.minutes, moved?.zone],
      [Date.parse("2026-03-03T08:00:00Z"), 60, "Europe/Paris"],
    );
    const day = { ...content, allDay: true, minutes: 30 } as const;
    const dates = { start: { date: "2026-03-05" }, end: { date: "2026-03-06" } };
    const later = entryOf(kept(wholeBody(id, day), dates), "UTC")?.content;
    assert.deepEqual(later, { ...day, at: Date.parse("2026-03-05T00:00:00Z") });
  });
  test("is cut where Google allows no more, and has no control characters", () => {
    const description = `a\u0000${"👍".repeat(5_000)}`;
    const body = readEvent(wholeBody(id, { ...content, title: "a\u0007b", description }));
    assert.equal(body.summary, "ab");
    assert.match(body.description ?? "", /^a(?:👍)+…$/u);
  });

  const ours = kept(wholeBody(id, content));
  const other = entryId("calendar", "another record");
  for (const [name, event, expected] of [
    ["as it was written", ours, id],
    ["without our mark", { ...ours, extendedProperties: undefined }, id],
    ["deleted, with nothing but its id", googleEvent.parse({ id, status: "cancelled" }), id],
    ["a copy that somebody made of it", { ...ours, id: "0123456789abcdefghijklmnop" }, null],
    ["a copy under another id of that form", { ...ours, id: other }, null],
    ["an occurrence of it", { ...ours, id: `${id}_20260302T000000Z` }, null],
    ["an event of Google's own", { ...ours, id: "cbkb3lvg4scu", extendedProperties: {} }, null],
  ] as const) {
    test(`is known by its id and its mark: ${name}`, () => {
      assert.equal(ownId(event), expected);
    });
  }

  test("of somebody else is read as far as it can be", () => {
    const at = { dateTime: "2026-03-02T09:00:00+09:00" };
    const strange = googleEvent.parse({
      id: "abcdef",
      start: { ...at, timeZone: "Custom/Zone" },
      end: at,
    });
    const { at: start, minutes, zone } = entryOf(strange, "Asia/Seoul")?.content ?? {};
    assert.deepEqual([start, minutes, zone], [content.at, 1, "UTC"]);
    assert.equal(entryOf(googleEvent.parse({ id: "abcdef" }), "Asia/Seoul"), undefined);
    const broken = googleEvent.parse({ id: "abcdef", start: { dateTime: "soon" } });
    assert.equal(entryOf(broken, "Asia/Seoul"), undefined);
  });
});
