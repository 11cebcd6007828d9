import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import ICAL from "ical.js";
import { vtimezone } from "./vtimezone.ts";

function lines(zone: string, from: string, to = from): readonly string[] {
  const component = vtimezone(zone, Date.parse(from), Date.parse(to));
  const text = ICAL.stringify(component).trim().split("\r\n");
  return text.filter((line) => !/^(?:BEGIN|END|TZID)/.test(line));
}

describe("the definition of a zone", () => {
  test("is constant where the clocks never change", () => {
    const seoul = ["DTSTART:19881009T030000", "TZOFFSETFROM:+1000", "TZOFFSETTO:+0900"];
    assert.deepEqual(lines("Asia/Seoul", "2026-11-20T00:00Z"), seoul);
    const kathmandu = lines("Asia/Kathmandu", "2026-11-20T00:00Z");
    assert.equal(kathmandu.at(-1), "TZOFFSETTO:+0545");
    const offset = ["DTSTART:19700101T000000", "TZOFFSETFROM:-0330", "TZOFFSETTO:-0330"];
    assert.deepEqual(lines("-03:30", "2026-11-20T00:00Z"), offset);
  });
  test("has a rule for each change of a zone with summer time", () => {
    assert.deepEqual(lines("Europe/Berlin", "2026-07-01T00:00Z"), [
      "DTSTART:20260329T020000",
      "TZOFFSETFROM:+0100",
      "TZOFFSETTO:+0200",
      "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
      "DTSTART:20261025T030000",
      "TZOFFSETFROM:+0200",
      "TZOFFSETTO:+0100",
      "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
    ]);
    assert.deepEqual(
      lines("America/New_York", "2026-07-01T00:00Z").filter((line) => line.startsWith("RRULE")),
      ["RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU"],
    );
  });
  test("ends the rules that were changed", () => {
    const rules = lines("America/New_York", "2004-01-01T00:00Z", "2010-01-01T00:00Z");
    assert.deepEqual(
      rules.filter((line) => line.startsWith("RRULE")),
      [
        "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=20061029T060000Z",
        "RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU;UNTIL=20060402T070000Z",
        "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU",
        "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU",
      ],
    );
    // Summer time has been all year since 2016.
    const istanbul = lines("Europe/Istanbul", "2015-01-01T00:00Z", "2026-01-01T00:00Z");
    assert.ok(istanbul.every((line) => !line.startsWith("RRULE") || line.includes("UNTIL")));
  });
  test("names summer time as such", () => {
    const [, , components] = vtimezone("America/New_York", Date.parse("2026-07-01T00:00Z"), 0);
    assert.deepEqual(
      components.map(([name]) => name),
      ["daylight", "standard"],
    );
  });
});

/** The last year that ical.js follows rules to. */
const lastYear = 2_034;
const zones = Intl.supportedValuesOf("timeZone");

test("any zone has the right offset at any time in the years of an entry", () => {
  const first = Date.parse("1975-01-01T00:00Z");
  const last = Date.parse(`${lastYear}-01-01T00:00Z`);
  const years = 8 * 366 * 86_400_000;
  const cases = fc.record({
    zone: fc.constantFrom(...zones),
    from: fc.integer({ min: first, max: last - years }),
    lengthMs: fc.integer({ min: 0, max: years }),
    parts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 }),
  });
  fc.assert(
    fc.property(cases, ({ zone, from, lengthMs, parts }) => {
      const component = new ICAL.Component(vtimezone(zone, from, from + lengthMs));
      const timezone = new ICAL.Timezone({ component, tzid: zone });
      for (const part of parts) {
        const at = Math.floor((from + part * lengthMs) / 60_000) * 60_000;
        const expected = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
        const local = expected.toPlainDateTime();
        // An hour that clocks show twice has no name of its own.
        if (local.toZonedDateTime(zone).epochMilliseconds !== at || at < from) continue;
        const { year, month, day, hour, minute, second } = local;
        const time = new ICAL.Time({ year, month, day, hour, minute, second }, timezone);
        assert.equal(time.toUnixTime() * 1_000, at, `${zone} at ${expected.toString()}`);
      }
    }),
    { numRuns: 300 },
  );
});
