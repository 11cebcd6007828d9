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

describe("the curve otu", () => {
  const days = [1, 1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256, 256];
  for (const [count, expected] of days.entries()) {
    test(`sends ${expected} days after message ${count}, at the same hour`, () => {
      assert.equal(next({ count }), noon + expected * dayMs);
    });
  }
});

describe("the next time", () => {
  test("is bounded by the cap at message 20", () => {
    assert.equal(next({ count: 20 }), noon + 256 * dayMs);
  });
  test("is counted from now when the last time has passed", () => {
    const time = next({ count: 2, from: noon - 30 * dayMs });
    assert.equal(time, noon + 2 * dayMs);
  });
  test("is never in the past, nor within a minute", () => {
    const curve: Curve = { ...builtInCurves.minutes, jitter: 1 };
    assert.equal(next({ curve, count: 1, chance: 0.999_999 }), noon + minuteMs);
  });
  test("is counted from now when the last time is over a year ahead", () => {
    for (const from of [noon + 400 * dayMs, 8.64e15, Infinity, Number.MAX_VALUE]) {
      assert.equal(next({ count: 1, from }), noon + dayMs);
    }
  });
  test("is a full day away at message 0", () => {
    assert.equal(next({ count: 0 }), noon + dayMs);
  });
  for (const zone of ["Asia/Kolkata", "Asia/Kathmandu", "America/St_Johns", "Australia/Adelaide"]) {
    test(`is at a whole hour in ${zone}`, () => {
      const from = at(`2026-05-04T14:37[${zone}]`);
      assert.equal(local(next({ count: 1, from, now: from, zone }), zone), "2026-05-05T14:00");
    });
  }
  test("moves from the night to seven in the morning", () => {
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

test("the other built-in curves have their distances", () => {
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

test("a distance in days keeps the hour when the clocks change", () => {
  const zone = "America/New_York";
  const before = at("2026-03-07T09:00[America/New_York]");
  const time = next({ count: 1, from: before, now: before, zone });
  assert.equal(local(time, zone), "2026-03-08T09:00");
  assert.equal(time - before, 23 * hourMs);
});

test("the later end of the sleep and the quiet hours wins", () => {
  const opens = (quiet: Quiet): string =>
    local(next({ count: 1, from: noon - 2 * hourMs, now: noon - 2 * hourMs, quiet }), "Asia/Seoul");
  assert.equal(opens({ from: "09:00", to: "11:30" }), "2026-05-05T11:30");
  // Each span's end is inside the other span.
  assert.equal(opens({ from: "09:00", to: "22:30" }), "2026-05-06T07:00");
  assert.equal(opens({ from: "06:00", to: "08:00" }), "2026-05-05T10:00");
  const none = next({ count: 1, quiet: { from: "06:30", to: "22:30" } });
  assert.equal(none, noon + dayMs, "a time stays when no hour is open");
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

describe("for any moment, zone and number, the next time", () => {
  test("is at least a minute from now, and at most the cap and a night", () => {
    fc.assert(
      fc.property(moments, someZone, anyNumber, anyNumber, (now, zone, count, from) => {
        const time = next({ now, zone, count, from });
        assert.ok(Number.isSafeInteger(time), String(time));
        assert.ok(time >= now + minuteMs, "too soon");
        const base = from > now && from <= now + 365 * dayMs ? from : now;
        // A zone may skip a day, and a night is nine hours.
        assert.ok(time <= base + 257 * dayMs + 11 * hourMs, "too far");
      }),
      { numRuns: 1_000 },
    );
  });

  test("is outside the night and at a whole hour", () => {
    fc.assert(
      fc.property(moments, someZone, fc.integer({ min: 0, max: 12 }), (now, zone, count) => {
        const time = next({ now, from: now, zone, count });
        assert.ok(!isAsleep(time, zone, otu.sleep), local(time, zone));
        assert.equal(inZone(time, zone).minute, 0, local(time, zone));
      }),
      { numRuns: 1_000 },
    );
  });

  test("is not earlier for a higher number or a later moment", () => {
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

  test("is outside closed hours, if any hour is open", () => {
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

  test("is shortened by jitter, by its share at most", () => {
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
    "with a distance of zero": { base: { count: 0, unit: "days" } },
    "with a negative distance": { base: { count: -1, unit: "days" } },
    "with a factor below 1": { factor: 0.5 },
    "with a factor that is not a number": { factor: Number.NaN },
    "with an infinite factor": { factor: Infinity },
    "with a fraction as distance": { base: { count: 1.5, unit: "days" } },
    "with an unknown unit": { base: { count: 1, unit: "weeks" } },
    "with a cap that overflows": { cap: { count: 1e15, unit: "days" } },
    "with a cap below its base": { cap: { count: 5, unit: "minutes" } },
    "with a jitter above 1": { jitter: 1.5 },
    "with a negative jitter": { jitter: -0.1 },
    "with a limit of zero messages": { countMax: 0 },
    "with a sleep from an invalid time": { sleep: { from: "25:00", to: "07:00" } },
    "with a sleep until an invalid time": { sleep: { from: "22:00", to: "7" } },
    "with a sleep that never ends": { sleep: { from: "07:00", to: "07:00" } },
    "with an escalation to an invalid target": { escalate: { after: 1, target: "nowhere" } },
    "with an escalation before the first message": { escalate: { after: 0, target: "inbox:mina" } },
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
  test("unless it is built in", () => {
    for (const curve of Object.values(builtInCurves)) checkCurve(curve);
  });
});
