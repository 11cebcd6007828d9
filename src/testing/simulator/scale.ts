/** How long a world lasts, and how its parts are stretched to fit. */
export interface Scale {
  readonly name: "minute" | "month" | "year" | "workspaces";
  /** How long things go wrong, and how long everything may then take to come right. */
  readonly lengthMs: number;
  readonly recoveryMs: number;
  /** How often it is looked whether it has. */
  readonly checkMs: number;
  /** How much longer machines are away, clocks jump and runs take than in a world of a minute. */
  readonly stretch: number;
  /** How many times as often as in a world of a minute something happens to machines and clocks. */
  readonly disruptionFactor: number;
  readonly leaseMs: number;
  readonly pollMs: number;
  /** A node is lost that was not heard of for so long. */
  readonly silenceMs: number;
  /** How often is forgotten what ended so long ago. */
  readonly pruneEveryMs: number;
  readonly retentionMs: number;
  /** The longest rest of who reads a feed, and the most it reads at once. */
  readonly feedMs: number;
  readonly feedRows: number;
  /** How many schedules an owner begins with, and may have. */
  readonly schedules: number;
  readonly schedulesMax: number;
  /** The longest rest of who changes them. */
  readonly scheduleClientMs: number;
  /** How many nags an owner begins with, and the longest rest of who changes them. */
  readonly nags: number;
  readonly nagClientMs: number;
  /** How long they go on once all is healed. */
  readonly nagRecoveryMs: number;
  /** Far more events than any seed needs: somebody asks again and again without a pause. */
  readonly eventsMax: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

export const minuteScale: Scale = {
  name: "minute",
  lengthMs: minuteMs,
  recoveryMs: hourMs,
  checkMs: 5_000,
  stretch: 1,
  disruptionFactor: 1,
  leaseMs: 15_000,
  pollMs: 30_000,
  silenceMs: 30_000,
  pruneEveryMs: 45_000,
  retentionMs: minuteMs,
  feedMs: 50_000,
  feedRows: 40,
  schedules: 2,
  schedulesMax: 5,
  scheduleClientMs: 9_000,
  nags: 3,
  nagClientMs: 6_000,
  nagRecoveryMs: 5 * minuteMs,
  eventsMax: 100_000,
};

/** Schedules and nothing else; nobody looks oftener than it must. */
export const monthScale: Scale = {
  name: "month",
  lengthMs: 30 * dayMs,
  recoveryMs: 5 * dayMs,
  checkMs: 10 * minuteMs,
  stretch: 720,
  disruptionFactor: 4,
  leaseMs: 15 * minuteMs,
  pollMs: 6 * hourMs,
  silenceMs: dayMs,
  pruneEveryMs: dayMs,
  retentionMs: 3 * dayMs,
  feedMs: dayMs,
  feedRows: 500,
  schedules: 100,
  schedulesMax: 110,
  scheduleClientMs: 2 * hourMs,
  nags: 0,
  nagClientMs: dayMs,
  nagRecoveryMs: 0,
  eventsMax: 2_000_000,
};

/** Nags and nothing else. */
export const yearScale: Scale = {
  ...monthScale,
  name: "year",
  lengthMs: 365 * dayMs,
  recoveryMs: 60 * dayMs,
  checkMs: 6 * hourMs,
  disruptionFactor: 12,
  schedules: 0,
  nags: 500,
  nagClientMs: 12 * hourMs,
  nagRecoveryMs: 20 * dayMs,
  eventsMax: 20_000_000,
};

/** Workspaces, and what runs in them. */
export const workspacesScale: Scale = {
  ...minuteScale,
  name: "workspaces",
  lengthMs: 15 * minuteMs,
  recoveryMs: 12 * hourMs,
  disruptionFactor: 5,
  pollMs: minuteMs,
  silenceMs: 5 * minuteMs,
  pruneEveryMs: 10 * minuteMs,
  retentionMs: 30 * minuteMs,
  feedMs: 5 * minuteMs,
  feedRows: 500,
  schedules: 0,
  nags: 0,
  nagRecoveryMs: 0,
  eventsMax: 3_000_000,
};
