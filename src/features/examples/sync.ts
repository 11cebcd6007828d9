import { fromIso } from "../../platform/iso-time.ts";
import { now } from "./views.ts";

const nowMs = fromIso(now);
const none = { created: [], updated: [], deleted: [] };

/** One for each operation of a client that keeps pages too. */
export const syncExamples = {
  syncPush: {
    input: {
      changes: {
        page: { created: [{ id: "trip", title: "Trip to Busan", body: "Book the hotel" }] },
        alarm: { created: [{ id: "a1", page_id: "trip", sent_count: 0 }] },
      },
    },
    output: { written: 2, ignored: ["alarm.sent_count"] },
  },
  syncPull: {
    input: {},
    output: {
      changes: {
        page: {
          ...none,
          created: [
            {
              id: "trip",
              title: "Trip to Busan",
              body: "Book the hotel",
              created_at: nowMs,
              updated_at: nowMs,
            },
          ],
        },
        alarm: none,
      },
      timestamp: nowMs * 1_000,
    },
  },
};
