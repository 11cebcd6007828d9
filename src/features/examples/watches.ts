import type { ScheduleView } from "../schedules/index.ts";
import { scheduleExamples } from "./schedules.ts";
import { id, now, zone } from "./views.ts";

const days = ["Tue 17", "Wed 18", "Thu 19", "Fri 20", "Sat 21"];
const next: ScheduleView["next"] = days.map((name, index) => {
  const day = 17 + index;
  return {
    utc: `2026-11-${day - 1}T23:00:00Z`,
    local: `2026-11-${day}T08:00:00+09:00[Asia/Seoul]`,
    text: `${name} Nov 2026 08:00 Asia/Seoul (in ${index + 1} d)`,
    ...zone,
  };
});

const token = `bWU.${id}.ED57fyzdkdPoTfPOTuG11f1YaZ1KGyPa`;
const expected = "2026-11-16T23:00:00Z";

/** One for each operation on watches, and on schedules that stand in the settings. */
export const watchExamples = {
  applySchedules: {
    input: { dry_run: true },
    output: { applied: false, steps: [] },
  },
  createWatch: {
    input: { name: "backup", every: "1d", grace: "1h" },
    output: {
      ...scheduleExamples.showSchedule.output,
      name: "backup",
      when: "every 1 d",
      when_text: "every 1d",
      cadence: { type: "interval" as const, every: 86_400 },
      runner: "ping" as const,
      run: { grace: 3_600 },
      notify: "never" as const,
      timeout: 60,
      notify_after_failures: 1,
      disable_after_failures: 0,
      next_run_at: expected,
      next,
      ping_url: `/ping/${token}`,
      token,
    },
  },
  simulate: {
    input: { to: "+30d" },
    output: { from: now, to: "2026-12-15T23:00:00Z", lines: [], cut: false },
  },
  pauseEverything: {
    input: { until: "tomorrow 9am", reason: "holiday" },
    output: {
      resting: [
        { scope: "all", since: now, until: "2026-11-17T00:00:00Z", reason: "holiday", by: "me" },
      ],
    },
  },
  resumeEverything: { input: {}, output: { resumed: "all", resting: [] } },
  pingWatch: {
    input: { id: "backup", start: true },
    output: { id, name: "backup", state: "started" as const, run_id: null, expected_at: expected },
  },
};
