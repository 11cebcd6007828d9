import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { convertIcsCalendar } from "ts-ics";
import type { EntryContent } from "../content.ts";
import { entryText } from "./entry-text.ts";
import { readEvent } from "./read.ts";
import { type CalendarEvent, eventFile, feedFile } from "./write.ts";

const at = Date.parse("2026-11-20T00:30:00Z");
const content: EntryContent = {
  title: "약 먹기; water, \\",
  description: "First line\nsecond: 식후 30분",
  at,
  zone: "Asia/Seoul",
  minutes: 30,
};
const options = { zone: "UTC", now: at };

function eventOf(given: Partial<EntryContent> = {}): CalendarEvent {
  return { id: "db1abc", content: { ...content, ...given }, revision: 3, changedAt: at - 1_234 };
}

function lineOf(text: string, name: string): string | undefined {
  const lines = text.replaceAll("\r\n ", "").split("\r\n");
  const from = lines.indexOf("BEGIN:VEVENT");
  return lines.slice(from).find((line) => new RegExp(`^${name}[;:]`).test(line));
}

/** As other programs read it. */
function others(text: string) {
  const [event] = convertIcsCalendar(undefined, text).events ?? [];
  assert.ok(event);
  return event;
}

describe("an event file", () => {
  test("has what programs need to show the entry and to ring", () => {
    const text = eventFile(eventOf());
    assert.equal(lineOf(text, "UID"), "UID:db1abc@daybook");
    assert.equal(lineOf(text, "DTSTAMP"), "DTSTAMP:20261120T002958Z");
    assert.equal(lineOf(text, "LAST-MODIFIED"), "LAST-MODIFIED:20261120T002958Z");
    assert.equal(lineOf(text, "SEQUENCE"), "SEQUENCE:3");
    assert.equal(lineOf(text, "DTSTART"), "DTSTART;TZID=Asia/Seoul:20261120T093000");
    assert.equal(lineOf(text, "DTEND"), "DTEND;TZID=Asia/Seoul:20261120T100000");
    assert.equal(lineOf(text, "SUMMARY"), String.raw`SUMMARY:약 먹기\; water\, \\`);
    assert.equal(lineOf(text, "STATUS"), "STATUS:CONFIRMED");
    assert.equal(lineOf(text, "TRIGGER"), "TRIGGER:PT0M");
    assert.match(text, /BEGIN:VTIMEZONE\r\nTZID:Asia\/Seoul\r\n/);
  });
  test("fills the day of a due date, and rings at its time", () => {
    const text = eventFile(eventOf({ allDay: true, minutes: 1_440 }));
    assert.equal(lineOf(text, "DTSTART"), "DTSTART;VALUE=DATE:20261120");
    assert.equal(lineOf(text, "DTEND"), "DTEND;VALUE=DATE:20261121");
    assert.equal(lineOf(text, "TRIGGER"), "TRIGGER:PT570M");
  });
  test("has no zone in UTC, and no alarm when it is done", () => {
    const text = eventFile(eventOf({ zone: "UTC", isDone: true }));
    assert.equal(lineOf(text, "DTSTART"), "DTSTART:20261120T003000Z");
    assert.doesNotMatch(text, /VTIMEZONE|VALARM/);
  });
  test("names the second of two equal hours in UTC", () => {
    const second = Date.parse("2026-10-25T01:30:00Z");
    const text = eventFile(eventOf({ at: second, zone: "Europe/Berlin" }));
    assert.equal(lineOf(text, "DTSTART"), "DTSTART:20261025T013000Z");
    const first = eventFile(eventOf({ at: second - 3_600_000, zone: "Europe/Berlin" }));
    assert.equal(lineOf(first, "DTSTART"), "DTSTART;TZID=Europe/Berlin:20261025T023000");
  });
  test("drops characters that would make a list of events unreadable", () => {
    const text = eventFile(
      eventOf({ title: "a\u0000b\ud800c\u007f\ufffe", description: "x\r\ny\rz\u2028" }),
    );
    assert.equal(readEvent(text, options)?.content.title, "ab\ufffdc");
    assert.equal(readEvent(text, options)?.content.description, "x\ny\nz\n");
  });
  test("ends each line with CRLF", () => {
    const text = eventFile(eventOf());
    assert.ok(text.endsWith("END:VCALENDAR\r\n"));
    assert.doesNotMatch(text, /[^\r]\n|\r[^\n]/);
  });
});

describe("a feed", () => {
  const other = { ...eventOf({ zone: "Europe/Berlin" }), id: "db2abc" };
  const feed = { name: "미나, 할 일", events: [eventOf(), other], refreshMinutes: 15 };
  test("has its name, each zone once and each event", () => {
    const text = feedFile({ ...feed, events: [...feed.events, { ...other, id: "db3abc" }] });
    assert.match(text, /\r\nX-WR-CALNAME:미나\\, 할 일\r\n/);
    assert.match(text, /\r\nREFRESH-INTERVAL;VALUE=DURATION:PT15M\r\n/);
    assert.deepEqual(text.match(/TZID:.+/g), ["TZID:Asia/Seoul", "TZID:Europe/Berlin"]);
    const found = convertIcsCalendar(undefined, text).events ?? [];
    assert.deepEqual(
      found.map(({ uid }) => uid),
      ["db1abc@daybook", "db2abc@daybook", "db3abc@daybook"],
    );
    assert.ok(found.every(({ summary }) => summary === content.title));
    assert.ok(found.every(({ start }) => start.date.getTime() === at));
  });
  test("is the same text as long as nothing changes, and is valid when empty", () => {
    assert.equal(feedFile(feed), feedFile(feed));
    const text = feedFile({ ...feed, events: [] });
    assert.match(text, /^BEGIN:VCALENDAR\r\nVERSION:2.0\r\n/);
  });
});

const texts = fc.string({ unit: "binary", maxLength: 300 }).map(entryText);
const berlinChanges = Date.parse("2026-10-25T01:00:00Z");
const contents: fc.Arbitrary<EntryContent> = fc
  .record(
    {
      title: texts,
      description: texts,
      at: fc.oneof(
        fc.integer({ min: 0, max: Date.parse("2099-01-01T00:00Z") }),
        // Around a change of clocks in Berlin.
        fc.integer({ min: -7_200_000, max: 7_200_000 }).map((ms) => berlinChanges + ms),
      ),
      zone: fc.constantFrom("Asia/Seoul", "Europe/Berlin", "America/New_York", "UTC", "+05:45"),
      minutes: fc.integer({ min: 1, max: 5_000 }),
      allDay: fc.constant(true as const),
      recurrence: fc.constantFrom(
        "FREQ=DAILY",
        "BYDAY=MO,WE;FREQ=WEEKLY;INTERVAL=2",
        "FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=5",
        "FREQ=YEARLY;UNTIL=20300101T000000Z",
      ),
      isDone: fc.constant(true as const),
      fields: fc
        .dictionary(
          fc.stringMatching(/^[a-z가-힣 ]{1,9}$/),
          fc.jsonValue().filter((value) => !JSON.stringify(value).includes("__proto__")),
        )
        .map((fields) => JSON.parse(JSON.stringify(fields)) as NonNullable<EntryContent["fields"]>),
    },
    { requiredKeys: ["title", "description", "at", "zone", "minutes"], noNullPrototype: true },
  )
  .filter(({ allDay, recurrence }) => allDay === undefined || recurrence === undefined);

test("what is written is read back the same", () => {
  fc.assert(
    fc.property(contents, (content) => {
      const text = eventFile({ id: "db1abc", content, revision: 1, changedAt: content.at });
      for (const line of text.split("\r\n")) assert.ok(Buffer.byteLength(line) <= 75, line);
      const read = readEvent(text, options);
      assert.deepEqual([read?.id, read?.content, read?.busy], ["db1abc", content, []]);
    }),
    { numRuns: 500 },
  );
});

test("another library reads the same title, description and times", () => {
  const plain = contents.map((content) => ({
    ...content,
    title: content.title.trim(),
    description: content.description.trim(),
  }));
  fc.assert(
    fc.property(plain, (content) => {
      const event = others(
        eventFile({ id: "db1abc", content, revision: 7, changedAt: content.at }),
      );
      assert.deepEqual(
        [event.summary ?? "", event.description ?? ""],
        [content.title, content.description],
      );
      assert.equal(event.sequence, 7);
      if (content.allDay === true) return;
      assert.equal(event.start.date.getTime(), Math.floor(content.at / 1_000) * 1_000);
    }),
  );
});
