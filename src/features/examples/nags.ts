import type { NagView } from "../nags/index.ts";
import { id, now, zone } from "./views.ts";

const nag: NagView = {
  id,
  about: { text: "pay rent" },
  title: "pay rent",
  state: "active",
  curve: "hourly",
  sent_count: 1,
  said: 0,
  next: {
    utc: "2026-11-25T00:00:00Z",
    local: "2026-11-25T09:00:00+09:00[Asia/Seoul]",
    text: "Wed 25 Nov 2026 09:00 Asia/Seoul (in 9 d 1 h)",
    ...zone,
  },
  last_notification_id: null,
  processed_at: null,
  target: "inbox:me",
  target_because: "inbox",
  priority: "normal",
  reason: null,
  failures: 0,
  created_at: now,
  created_by: "me",
  ended_at: null,
  revision: 1,
};

const page = {
  id: "trip",
  title: "Trip to Busan",
  body: "Book the hotel",
  created_at: now,
  updated_at: now,
  revision: 1,
};
const { body: _, ...pageLine } = page;

const resting = { ...nag, state: "paused" as const, next: null, revision: 2 };

/** One for each operation on what is said until it is done, and on the pages it is about. */
export const nagExamples = {
  nag: {
    input: { message: "pay rent", at: "the 25th 9am", curve: "hourly" },
    output: { ...nag, fresh: true },
  },
  listNags: { input: { limit: 10 }, output: { nags: [nag], next: null } },
  showNag: { input: { id }, output: nag },
  snoozeNag: {
    input: { id, at: "tomorrow 10am" },
    output: {
      ...nag,
      next: {
        utc: "2026-11-17T01:00:00Z",
        local: "2026-11-17T10:00:00+09:00[Asia/Seoul]",
        text: "Tue 17 Nov 2026 10:00 Asia/Seoul (in 1 d 2 h)",
        ...zone,
      },
      revision: 2,
    },
  },
  doneNag: {
    input: { id },
    output: {
      ...nag,
      state: "done" as const,
      next: null,
      ended_at: now,
      revision: 2,
      changed: true,
    },
  },
  pauseNag: { input: { id }, output: { ...resting, changed: true } },
  resumeNag: {
    input: { id },
    output: {
      ...nag,
      next: {
        utc: now,
        local: "2026-11-16T08:00:00+09:00[Asia/Seoul]",
        text: "Mon 16 Nov 2026 08:00 Asia/Seoul (now)",
        ...zone,
      },
      revision: 3,
      changed: true,
    },
  },
  deleteNag: {
    input: { id, reason: "moved out" },
    output: {
      ...nag,
      state: "cancelled" as const,
      next: null,
      ended_at: now,
      revision: 3,
      deleted: true,
    },
  },
  putPage: {
    input: { id: "trip", title: "Trip to Busan", body: "Book the hotel" },
    output: { ...page, fresh: true },
  },
  listPages: { input: { limit: 10 }, output: { pages: [pageLine], next: null } },
  showPage: { input: { id: "trip" }, output: page },
  deletePage: {
    input: { id: "trip" },
    output: { id: "trip", deleted: true, nag: null, title: "Trip to Busan" },
  },
};
