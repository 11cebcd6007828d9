import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { EntryContent } from "../content.ts";
import { readEvent, type ReadEvent } from "./read.ts";
import { eventFile } from "./write.ts";

const at = Date.parse("2026-11-20T00:30:15.250Z");
const content: EntryContent = {
  title: "Take the pills",
  description: "With water.",
  at,
  zone: "Asia/Seoul",
  minutes: 30,
};
const options = { zone: "Europe/Berlin", now: at };

function written(given: Partial<EntryContent> = {}): string {
  const all = { ...content, ...given };
  return eventFile({ id: "db1abc", content: all, revision: 1, changedAt: at });
}

function read(text: string): ReadEvent {
  const found = readEvent(text, options);
  assert.ok(found, "there is no event");
  return found;
}

/** An event as other programs write it. */
function foreign(...lines: readonly string[]): string {
  const head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//other//EN"];
  const zones = lines.filter(
    (_, index) => lines.indexOf("BEGIN:VTIMEZONE") >= 0 && index <= lines.indexOf("END:VTIMEZONE"),
  );
  const event = ["BEGIN:VEVENT", "UID:5F2C@other", ...lines.slice(zones.length), "END:VEVENT"];
  return [...head, ...zones, ...event, "END:VCALENDAR", ""].join("\r\n");
}

function instant(text: string): number {
  return Temporal.Instant.from(text).epochMilliseconds;
}

describe("an event of ours that somebody else wrote back", () => {
  test("keeps its exact time when it was only renamed", () => {
    const text = written().replace("SUMMARY:Take the pills", "SUMMARY;LANGUAGE=ko:약");
    assert.deepEqual(read(text), { id: "db1abc", content: { ...content, title: "약" }, busy: [] });
  });
  test("has the time that it was moved to, by its local time in its zone", () => {
    const text = written().replaceAll("20261120T", "20261203T");
    assert.equal(read(text).content.at, instant("2026-12-03T00:30:15Z"));
    assert.equal(read(text).content.minutes, 30);
  });
  const moves: Readonly<Record<string, readonly [string, string]>> = {
    "in UTC": ["DTSTART:20261120T013000Z", "2026-11-20T01:30:00Z"],
    "without a zone": ["DTSTART:20261120T103000", "2026-11-20T01:30:00Z"],
    "in another zone": ["DTSTART;TZID=Europe/Berlin:20261120T023000", "2026-11-20T01:30:00Z"],
    "in a zone with a prefix": [
      "DTSTART;TZID=/freeassociation.sourceforge.net/America/Argentina/Salta:20261119T223000",
      "2026-11-20T01:30:00Z",
    ],
    "with a quoted zone": ['DTSTART;TZID="Asia/Seoul":20261120T103000', "2026-11-20T01:30:00Z"],
  };
  for (const [how, [line, time]] of Object.entries(moves)) {
    test(`is moved by a time ${how}`, () => {
      const text = written()
        .replace(/DTSTART;TZID.*/, line)
        .replace(/DTEND.*/, "DURATION:PT1H15M");
      const { at: moved, minutes } = read(text).content;
      assert.deepEqual([moved, minutes], [instant(time), 75]);
    });
  }
  test("keeps its zone when it comes back in UTC, and takes over another one", () => {
    const utc = written().replace(/DTSTART;TZID.*/, "DTSTART:20261120T003015Z");
    assert.equal(read(utc).content.zone, "Asia/Seoul");
    assert.equal(read(utc).content.at, at);
    const moved = written().replace(/DTSTART;TZID.*/, "DTSTART;TZID=Asia/Tokyo:20261120T093015");
    assert.equal(read(moved).content.zone, "Asia/Tokyo");
    assert.equal(read(moved).content.at, at);
  });
  test("becomes a whole day and keeps its time of day, and moves with its date", () => {
    const text = written()
      .replace(/DTSTART;TZID.*/, "DTSTART;VALUE=DATE:20261124")
      .replace(/DTEND.*/, "DTEND;VALUE=DATE:20261126");
    assert.deepEqual(read(text).content, {
      ...content,
      at: instant("2026-11-24T00:30:15.250Z"),
      minutes: 2_880,
      allDay: true,
    });
  });
  test("is ours without our own properties, which some services drop", () => {
    const text = written()
      .replaceAll("\r\n ", "")
      .replaceAll(/X-DAYBOOK.*\r\n/g, "");
    const whole = Math.floor(at / 1_000) * 1_000;
    assert.deepEqual(read(text), { id: "db1abc", content: { ...content, at: whole }, busy: [] });
    const day = written({ allDay: true, minutes: 90 }).replaceAll(/X-DAYBOOK.*\r\n/g, "");
    const { at: start, minutes } = read(day).content;
    assert.deepEqual([start, minutes], [instant("2026-11-19T23:00:00Z"), 1_440]);
  });
  test("keeps its rule as long as it means the same", () => {
    const rule = "BYDAY=MO,WE;FREQ=WEEKLY";
    const text = written({ recurrence: rule });
    assert.equal(read(text).content.recurrence, rule);
    const changed = text.replace("RRULE:FREQ=WEEKLY;BYDAY=MO,WE", "RRULE:FREQ=WEEKLY;BYDAY=FR");
    assert.equal(read(changed).content.recurrence, "FREQ=WEEKLY;BYDAY=FR");
    const single = text.replace(/RRULE:.*\r\n/, "");
    assert.equal(read(single).content.recurrence, undefined);
  });
  test("is read through broken properties of ours", () => {
    const text = written({ fields: { a: 1 } })
      .replaceAll("\r\n ", "")
      .replace(/X-DAYBOOK-AT.*/, "X-DAYBOOK-AT:soon")
      .replace(/X-DAYBOOK-ZONE.*/, "X-DAYBOOK-ZONE:Mars/Olympus")
      .replace(/X-DAYBOOK-MINUTES.*/, "X-DAYBOOK-MINUTES:-1")
      .replace(/X-DAYBOOK-FIELDS.*/, "X-DAYBOOK-FIELDS;VALUE=TEXT:{");
    assert.deepEqual(read(text).content, { ...content, at: Math.floor(at / 1_000) * 1_000 });
  });
  test("is shown by its series, and not by a moved occurrence", () => {
    const text = written({ recurrence: "FREQ=DAILY" }).replace(
      "BEGIN:VEVENT",
      [
        "BEGIN:VEVENT",
        "UID:db1abc@daybook",
        "RECURRENCE-ID;TZID=Asia/Seoul:20261122T093015",
        "DTSTART;TZID=Asia/Seoul:20261122T200000",
        "SUMMARY:Moved once",
        "END:VEVENT",
        "BEGIN:VEVENT",
      ].join("\r\n"),
    );
    assert.deepEqual(read(text).content, { ...content, recurrence: "FREQ=DAILY" });
  });
});

describe("an event of somebody else", () => {
  test("has the title and times of any program", () => {
    const text = foreign(
      "DTSTART;TZID=Asia/Seoul:20261121T090000",
      "DTEND;TZID=Asia/Seoul:20261121T093000",
      String.raw`SUMMARY:회의\, with\nMina`,
    );
    const { id, content: found } = read(text);
    assert.equal(id, null);
    assert.deepEqual(found, {
      title: "회의, with\nMina",
      description: "",
      at: instant("2026-11-21T00:00:00Z"),
      zone: "Asia/Seoul",
      minutes: 30,
    });
  });
  test("without a zone is in the given one, and without an end lasts a minute", () => {
    const { at: start, zone, minutes } = read(foreign("DTSTART:20261121T090000")).content;
    assert.deepEqual([start, zone, minutes], [instant("2026-11-21T08:00:00Z"), "Europe/Berlin", 1]);
  });
  test("has the offset of its own definition of a zone that nobody else knows", () => {
    const text = foreign(
      "BEGIN:VTIMEZONE",
      "TZID:Customized Time Zone",
      "BEGIN:STANDARD",
      "DTSTART:16010101T000000",
      "TZOFFSETFROM:+0500",
      "TZOFFSETTO:+0500",
      "END:STANDARD",
      "END:VTIMEZONE",
      "DTSTART;TZID=Customized Time Zone:20261121T090000",
      "DURATION:P1D",
    );
    const { at: start, minutes } = read(text).content;
    assert.deepEqual([start, minutes], [instant("2026-11-21T04:00:00Z"), 1_440]);
  });
  for (const text of [
    "",
    "BEGIN:VCALENDAR",
    "<html></html>",
    "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:1\r\nEND:VTODO\r\nEND:VCALENDAR",
    foreign("SUMMARY:without a time"),
    foreign("DTSTART:tomorrow"),
  ]) {
    test(`is none in ${JSON.stringify(text.slice(0, 90))}`, () => {
      assert.equal(readEvent(text, options), undefined);
    });
  }
});

test("a UID in the form of ours, and no other, is ours", () => {
  const ids = ["db1abc@daybook", "DB1ABC@daybook", "db1abc", "db1abc@google.com", "ab@daybook"];
  const text = foreign("DTSTART:20261121T090000Z");
  const found = ids.map((uid) => read(text.replace("5F2C@other", uid)).id);
  assert.deepEqual(found, ["db1abc", null, null, null, null]);
});
