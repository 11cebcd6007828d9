import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { quietUntil } from "./quiet-hours.ts";

const at = (text: string): number => Temporal.ZonedDateTime.from(text).epochMilliseconds;

describe("quiet hours", () => {
  const night = { from: "22:00", to: "07:00" };
  const noon = { from: "12:00", to: "13:30" };
  const rows: [now: string, quiet: typeof night, until: string | undefined][] = [
    ["2026-11-16T21:59:59[Asia/Seoul]", night, undefined],
    ["2026-11-16T22:00[Asia/Seoul]", night, "2026-11-17T07:00[Asia/Seoul]"],
    ["2026-11-16T23:59[Asia/Seoul]", night, "2026-11-17T07:00[Asia/Seoul]"],
    ["2026-11-17T00:00[Asia/Seoul]", night, "2026-11-17T07:00[Asia/Seoul]"],
    ["2026-11-17T06:59:59[Asia/Seoul]", night, "2026-11-17T07:00[Asia/Seoul]"],
    ["2026-11-17T07:00[Asia/Seoul]", night, undefined],
    ["2026-11-17T12:00[Asia/Kathmandu]", noon, "2026-11-17T13:30[Asia/Kathmandu]"],
    ["2026-11-17T13:30[Asia/Kathmandu]", noon, undefined],
    // Clocks go from 02:00 to 03:00: an end in the gap is right after it.
    [
      "2026-03-29T01:30[Europe/Berlin]",
      { from: "23:00", to: "02:30" },
      "2026-03-29T03:30[Europe/Berlin]",
    ],
    // Clocks show 02:30 twice: after the first one, quiet hours last until the second.
    [
      "2026-10-25T02:10+02:00[Europe/Berlin]",
      { from: "23:00", to: "02:30" },
      "2026-10-25T02:30+02:00[Europe/Berlin]",
    ],
    [
      "2026-10-25T02:10+01:00[Europe/Berlin]",
      { from: "23:00", to: "02:30" },
      "2026-10-25T02:30+01:00[Europe/Berlin]",
    ],
  ];
  for (const [now, quiet, until] of rows) {
    test(`${now} in ${quiet.from}–${quiet.to} is ${until ?? "loud"}`, () => {
      const zone = /\[(.+)\]/.exec(now)?.[1] ?? "";
      assert.equal(quietUntil(at(now), quiet, zone), until && at(until));
    });
  }
  test("end after the moment, within a day and an hour", () => {
    const time = fc
      .tuple(fc.nat(23), fc.nat(59))
      .map((parts) => parts.map((part) => String(part).padStart(2, "0")).join(":"));
    const zones = fc.constantFrom("Asia/Seoul", "America/New_York", "Australia/Lord_Howe", "UTC");
    const moment = fc.integer({ min: 0, max: 4_000_000_000_000 });
    const property = fc.property(time, time, zones, moment, (from, to, zone, now) => {
      if (from === to) return;
      const until = quietUntil(now, { from, to }, zone);
      if (until === undefined) return;
      assert.ok(until > now && until - now <= 25 * 3_600_000, `${until - now}`);
    });
    fc.assert(property);
  });
});
