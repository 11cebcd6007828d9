import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { inZone } from "../../time/zone.ts";
import type { Quiet } from "../accounts/profile.ts";
import { builtInCurves, checkCurve, type Curve, nextTime, type NextTime } from "./curve.ts";

const { otu } = builtInCurves;
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
const zones = [
  "Asia/Seoul",
  "America/New_York",
  "Europe/Berlin",
  "Australia/Lord_Howe",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "America/St_Johns",
  "Pacific/Apia",
];

const at = (text: string): number => Temporal.ZonedDateTime.from(text).epochMilliseconds;
const local = (time: number, zone: string): string =>
  inZone(time, zone).toString({ smallestUnit: "minute", timeZoneName: "never", offset: "never" });

const noon = at("2026-05-04T12:00[Asia/Seoul]");
const usual = { curve: otu, zone: "Asia/Seoul", quiet: null, chance: 0, from: noon, now: noon };
const next = (given: Partial<NextTime> & { count: number }): number =>
  nextTime({ ...usual, ...given });

describe("otu, as the seed counts", () => {
  const days = [1, 1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256, 256];
  for (const [count, expected] of days.entries()) {
    test(`after number ${count} it is said ${expected} days later, at the same hour`, () => {
      assert.equal(next({ count }), noon + expected * dayMs);
    });
  }
});

describe("what the seed got wrong", () => {
  test("C7 2025-08-16: the count of 20 does not overflow, it is the cap", () => {
    assert.equal(next({ count: 20 }), noon + 256 * dayMs);
  });
  test("C7 2025-08-17: a time that has passed is counted from now, before the days are added", () => {
    const time = next({ count: 2, from: noon - 30 * dayMs });
    assert.equal(time, noon + 2 * dayMs);
  });
  test("C7 2025-09-19: the next time is never in the past, nor within a minute", () => {
    const curve: Curve = { ...builtInCurves.minutes, jitter: 1 };
    assert.equal(next({ curve, count: 1, chance: 0.999_999 }), noon + minuteMs);
  });
  test("C7 2025-10-31: a time that lies more than a year ahead is counted from now", () => {
    for (const from of [noon + 400 * dayMs, 8.64e15, Infinity, Number.MAX_VALUE]) {
      assert.equal(next({ count: 1, from }), noon + dayMs);
    }
  });
  test("C2: number 0 adds a whole day, not a rounded half", () => {
    assert.equal(next({ count: 0 }), noon + dayMs);
  });
  for (const zone of ["Asia/Kolkata", "Asia/Kathmandu", "America/St_Johns", "Australia/Adelaide"]) {
    test(`C2: the hour is cut as clocks in ${zone} show it, not as a server's do`, () => {
      const from = at(`2026-05-04T14:37[${zone}]`);
      assert.equal(local(next({ count: 1, from, now: from, zone }), zone), "2026-05-05T14:00");
    });
  }
  test("C2: what falls into the night is said at seven, of the same day or the next", () => {
    const moved = (hour: string): string => {
      const from = at(`2026-05-04T${hour}[Asia/Seoul]`);
      return local(next({ count: 1, from, now: from }), "Asia/Seoul");
    };
    assert.equal(moved("22:00"), "2026-05-06T07:00");
    assert.equal(moved("23:59"), "2026-05-06T07:00");
    assert.equal(moved("00:30"), "2026-05-05T07:00");
    assert.equal(moved("06:59"), "2026-05-05T07:00");
    assert.equal(moved("21:59"), "2026-05-05T21:00");
    assert.equal(moved("07:00"), "2026-05-05T07:00");
  });
});

test("the other curves", () => {
  const { minutes, hourly, daily, weekdays } = builtInCurves;
  const distances = (curve: Curve, from = noon): number[] =>
    [1, 2, 3, 4, 5].map((count) => (next({ curve, count, from, now: from }) - from) / minuteMs);
  assert.deepEqual(distances(minutes), [5, 10, 20, 30, 30]);
  assert.deepEqual(distances(hourly), [60, 60, 60, 60, 60]);
  assert.deepEqual(distances(daily), [1440, 1440, 1440, 1440, 1440]);
  const friday = at("2026-05-08T15:20[Asia/Seoul]");
  assert.deepEqual(distances(weekdays, friday), [4320, 4320, 4320, 4320, 4320]);
  const late = at("2026-05-04T21:30[Asia/Seoul]");
  const night = next({ curve: hourly, count: 1, from: late, now: late });
  assert.equal(local(night, "Asia/Seoul"), "2026-05-05T07:00");
});

test("days are the calendar's: the hour stays when the clocks change", () => {
  const zone = "America/New_York";
  const before = at("2026-03-07T09:00[America/New_York]");
  const time = next({ count: 1, from: before, now: before, zone });
  assert.equal(local(time, zone), "2026-03-08T09:00");
  assert.equal(time - before, 23 * hourMs);
});

test("of the sleep and the quiet hours the later opening wins", () => {
  const opens = (quiet: Quiet): string =>
    local(next({ count: 1, from: noon - 2 * hourMs, now: noon - 2 * hourMs, quiet }), "Asia/Seoul");
  assert.equal(opens({ from: "09:00", to: "11:30" }), "2026-05-05T11:30");
  // The end of one lies in the other, twice.
  assert.equal(opens({ from: "09:00", to: "22:30" }), "2026-05-06T07:00");
  assert.equal(opens({ from: "06:00", to: "08:00" }), "2026-05-05T10:00");
  const none = next({ count: 1, quiet: { from: "06:30", to: "22:30" } });
  assert.equal(none, noon + dayMs, "without any opening it is due at its time, and says why then");
});

const moments = fc.integer({ min: at("2011-12-20T00:00[UTC]"), max: at("2037-01-01T00:00[UTC]") });
const someZone = fc.constantFrom(...zones);
const chance = fc.double({ min: 0, max: 0.999_999, noNaN: true });
const timeOfDay = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hour, minute]) => `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`);
const anyNumber = fc.oneof(
  fc.integer({ min: -5, max: 40 }),
  fc.double(),
  fc.constantFrom(Infinity, -Infinity, Number.NaN, Number.MAX_SAFE_INTEGER, 2 ** 31),
);

const isAsleep = (time: number, zone: string, { from, to }: Quiet): boolean => {
  const clock = local(time, zone).slice(11);
  return from > to ? clock >= from || clock < to : clock >= from && clock < to;
};

describe("for any moment, zone and number", () => {
  test("it is never before a minute from now, never further than the cap and a night", () => {
    fc.assert(
      fc.property(moments, someZone, anyNumber, anyNumber, (now, zone, count, from) => {
        const time = next({ now, zone, count, from });
        assert.ok(Number.isSafeInteger(time), String(time));
        assert.ok(time >= now + minuteMs, "too soon");
        const base = from > now && from <= now + 365 * dayMs ? from : now;
        // A zone may leap over a day, and a night is nine hours.
        assert.ok(time <= base + 257 * dayMs + 11 * hourMs, "too far");
      }),
      { numRuns: 1_000 },
    );
  });

  test("it is outside the night, at a whole hour or at its end", () => {
    fc.assert(
      fc.property(moments, someZone, fc.integer({ min: 0, max: 12 }), (now, zone, count) => {
        const time = next({ now, from: now, zone, count });
        assert.ok(!isAsleep(time, zone, otu.sleep), local(time, zone));
        assert.equal(inZone(time, zone).minute, 0, local(time, zone));
      }),
      { numRuns: 1_000 },
    );
  });

  test("it does not come earlier for a higher number or a later moment", () => {
    const counts = fc.integer({ min: 0, max: 20 });
    fc.assert(
      fc.property(moments, someZone, counts, fc.nat(40 * hourMs), (now, zone, count, later) => {
        const time = next({ now, from: now, zone, count });
        assert.ok(next({ now, from: now, zone, count: count + 1 }) >= time, "by number");
        const moved = next({ now: now + later, from: now + later, zone, count });
        assert.ok(moved >= time, "by moment");
      }),
      { numRuns: 1_000 },
    );
  });

  test("it is outside whatever is closed, if anything is open at all", () => {
    const span = fc
      .record({ from: timeOfDay, to: timeOfDay })
      .filter(({ from, to }) => from !== to);
    const closing = fc.record({ sleep: span, quiet: span, weekdays: fc.boolean() });
    fc.assert(
      fc.property(moments, someZone, closing, (now, zone, { sleep, quiet, weekdays }) => {
        const curve: Curve = { ...builtInCurves.hourly, sleep, weekdays };
        const time = next({ curve, now, from: now, zone, quiet, count: 1 });
        const closed = (moment: number): boolean =>
          isAsleep(moment, zone, sleep) || isAsleep(moment, zone, quiet);
        const clear = Array.from({ length: 1_440 }, (_, minute) => now + minute * minuteMs);
        if (clear.every(closed)) return;
        assert.ok(!closed(time), local(time, zone));
        if (weekdays) assert.ok(inZone(time, zone).dayOfWeek <= 5);
      }),
      { numRuns: 500 },
    );
  });

  test("jitter only shortens it, and never to less than its share leaves", () => {
    const curve: Curve = { ...builtInCurves.daily, jitter: 0.25 };
    const { sleep: _, ...awake } = curve;
    fc.assert(
      fc.property(moments, chance, (now, luck) => {
        const time = next({ curve: awake, now, from: now, zone: "UTC", count: 3, chance: luck });
        assert.ok(time <= now + dayMs && time >= now + 0.75 * dayMs);
      }),
    );
  });
});

describe("a curve is refused", () => {
  const wrong: Record<string, Partial<Curve> | { [name: string]: unknown }> = {
    "that never moves": { base: { count: 0, unit: "days" } },
    "that goes back": { base: { count: -1, unit: "days" } },
    "that shrinks": { factor: 0.5 },
    "whose factor is no number": { factor: Number.NaN },
    "that explodes": { factor: Infinity },
    "with a fraction": { base: { count: 1.5, unit: "days" } },
    "with a unit that is none": { base: { count: 1, unit: "weeks" } },
    "whose cap overflows": { cap: { count: 1e15, unit: "days" } },
    "whose cap is below its base": { cap: { count: 5, unit: "minutes" } },
    "whose jitter is no share": { jitter: 1.5 },
    "with a negative jitter": { jitter: -0.1 },
    "that is said never": { countMax: 0 },
    "that sleeps at no time of day": { sleep: { from: "25:00", to: "07:00" } },
    "that sleeps until no time of day": { sleep: { from: "22:00", to: "7" } },
    "that never wakes": { sleep: { from: "07:00", to: "07:00" } },
    "that escalates to nowhere": { escalate: { after: 1, target: "nowhere" } },
    "that escalates before the first": { escalate: { after: 0, target: "inbox:mina" } },
  };
  for (const [name, change] of Object.entries(wrong)) {
    test(name, () => {
      // The cast: settings and records come from outside.
      const curve = { ...otu, ...change } as Curve;
      assert.throws(
        () => checkCurve(curve),
        (error: Error & { code?: string }) => error.code === "invalid" && error.message.length > 10,
      );
    });
  }
  test("but none of those that are built in", () => {
    for (const curve of Object.values(builtInCurves)) checkCurve(curve);
  });
});
