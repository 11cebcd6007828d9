import type { Foreseen, Simulate } from "../features/book/index.ts";
import { readPauses } from "../features/nodes/index.ts";
import type { Ledger } from "../kernel/ledger.ts";
import { DaybookError } from "../platform/errors.ts";
import { virtualTime } from "../platform/virtual-time.ts";
import { inZone } from "../time/zone.ts";
import { copyOf, plannedIn } from "./simulated-book.ts";
import { simulatedNode, type See } from "./simulated-node.ts";

const dayMs = 86_400_000;
const sweepMax = 10_000;
const sweepMs = 3_600_000;
const spanMsMax = 366 * dayMs;
const aheadMsMax = 3_660 * dayMs;
/** More would take long, and is not shown. */
const passedMax = 10_000;

/**
 * Simulates what would be sent and run: the owner's schedules, nags, notifications and waiting tasks in a book of their
 * own, where the real controllers work in virtual time, with channels and runners that do nothing. Time begins now, also
 * if the requested span begins later. Watches are left out, because pings cannot be predicted.
 */
export async function simulate(
  ledger: Ledger,
  owner: string,
  span: Parameters<Simulate>[1],
): ReturnType<Simulate> {
  checkSpan(span);
  const { now, from, to, profile, limit } = span;
  const records = await plannedIn(ledger.of(owner, owner));
  const pauses = await readPauses(ledger);
  const time = virtualTime(now);
  const lines: Foreseen[] = [];
  let passed = 0;
  const see: See = (line, zone = profile.zone) => {
    const at = time.now();
    if (at < from) passed += 1;
    else if (lines.length <= limit) lines.push({ ...line, at, dayHours: dayHours(at, zone) });
  };
  const copy = await copyOf(records, { owner, from, pauses, now: time.now });
  const running = simulatedNode({ ledger: copy, time, profile, pauses }, records, see);
  await running.start();
  const sweep = (): void => {
    time.clock.after(sweepMs, sweep);
    // Finished runs slow the rest down. Notifications stay: their nags read them.
    void copy.work.prune({ endedBefore: time.now(), limit: sweepMax, of: [{ kind: "task" }] });
  };
  time.clock.after(from - now, sweep);
  await time.runUntil(to, () => lines.length > limit || passed > passedMax);
  if (passed > passedMax) {
    const sentence = `More than ${passedMax} things happen before that: choose an earlier time.`;
    throw new DaybookError("too_large", sentence);
  }
  return { lines: lines.slice(0, limit), isCut: lines.length > limit };
}

function checkSpan({ now, from, to }: Parameters<Simulate>[1]): void {
  if (to <= from) {
    throw new DaybookError("invalid", "The end is before the start: swap the two times.");
  }
  if (to - from > spanMsMax) {
    throw new DaybookError("too_large", "The span is longer than a year: choose a shorter one.");
  }
  if (to - now > aheadMsMax) {
    throw new DaybookError(
      "too_large",
      "The end is more than ten years ahead: choose an earlier time.",
    );
  }
}

/** A day on which the clocks change has more or fewer hours than others. */
function dayHours(at: number, zone: string): number | null {
  const { hoursInDay } = inZone(at, zone);
  return hoursInDay === 24 ? null : hoursInDay;
}
