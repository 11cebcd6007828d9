/** How long a world lasts, and how its parts are stretched to fit. */
export interface Scale {
  readonly name: "minute" | "month" | "year" | "always";
  /** How long things go wrong, and how long everything may then take to come right. */
  readonly lengthMs: number;
  readonly healMs: number;
  /** How often it is looked whether it has. */
  readonly lookMs: number;
  /** How much longer machines are away, clocks jump and runs take than in a world of a minute. */
  readonly stretch: number;
  /** How many times as often as in a world of a minute something happens to machines and clocks. */
  readonly troubles: number;
  readonly leaseMs: number;
  readonly pollMs: number;
  /** A node is lost that was not heard of for so long. */
  readonly silenceMs: number;
  /** How often is forgotten what ended so long ago. */
  readonly forgetMs: number;
  readonly forgetAfterMs: number;
  /** The longest rest of who reads a feed, and the most it reads at once. */
  readonly feedMs: number;
  readonly feedRows: number;
  /** How many schedules an owner begins with, and may have. */
  readonly schedules: number;
  readonly schedulesMax: number;
  /** The longest rest of who changes them. */
  readonly plannerMs: number;
  /** How many nags an owner begins with, and the longest rest of who changes them. */
  readonly nags: number;
  readonly pesterMs: number;
  /** How long they go on once all is healed. */
  readonly nagOnMs: number;
  /** Far more events than any seed needs: somebody asks again and again without a pause. */
  readonly eventsMax: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

export const aMinute: Scale = {
  name: "minute",
  lengthMs: minuteMs,
  healMs: hourMs,
  lookMs: 5_000,
  stretch: 1,
  troubles: 1,
  leaseMs: 15_000,
  pollMs: 30_000,
  silenceMs: 30_000,
  forgetMs: 45_000,
  forgetAfterMs: minuteMs,
  feedMs: 50_000,
  feedRows: 40,
  schedules: 2,
  schedulesMax: 5,
  plannerMs: 9_000,
  nags: 3,
  pesterMs: 6_000,
  nagOnMs: 5 * minuteMs,
  eventsMax: 100_000,
};

/** Schedules and nothing else; nobody looks oftener than it must. */
export const aMonth: Scale = {
  name: "month",
  lengthMs: 30 * dayMs,
  healMs: 5 * dayMs,
  lookMs: 10 * minuteMs,
  stretch: 720,
  troubles: 4,
  leaseMs: 15 * minuteMs,
  pollMs: 6 * hourMs,
  silenceMs: dayMs,
  forgetMs: dayMs,
  forgetAfterMs: 3 * dayMs,
  feedMs: dayMs,
  feedRows: 500,
  schedules: 100,
  schedulesMax: 110,
  plannerMs: 2 * hourMs,
  nags: 0,
  pesterMs: dayMs,
  nagOnMs: 0,
  eventsMax: 2_000_000,
};

/** Nags and nothing else. */
export const aYear: Scale = {
  ...aMonth,
  name: "year",
  lengthMs: 365 * dayMs,
  healMs: 60 * dayMs,
  lookMs: 6 * hourMs,
  troubles: 12,
  schedules: 0,
  nags: 500,
  pesterMs: 12 * hourMs,
  nagOnMs: 20 * dayMs,
  eventsMax: 20_000_000,
};

/** Workspaces, and what runs in them. */
export const theAlways: Scale = {
  ...aMinute,
  name: "always",
  lengthMs: 15 * minuteMs,
  healMs: 12 * hourMs,
  troubles: 5,
  pollMs: minuteMs,
  silenceMs: 5 * minuteMs,
  forgetMs: 10 * minuteMs,
  forgetAfterMs: 30 * minuteMs,
  feedMs: 5 * minuteMs,
  feedRows: 500,
  schedules: 0,
  nags: 0,
  nagOnMs: 0,
  eventsMax: 3_000_000,
};
