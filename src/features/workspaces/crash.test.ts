import { checkKept, kept } from "../../testing/crash/always-check.ts";
import { makeHome, workAlways } from "../../testing/crash/always.ts";
import { dyingOnEachStore } from "../../testing/crash/stores.ts";

await dyingOnEachStore(
  "kill -9 before and after every step into an archive and back loses nothing of a home",
  {
    script: import.meta.filename,
    content: kept,
    stores: ["SQLite", "file", "PostgreSQL"],
    async work({ place, notes, time, at, isFirst }) {
      if (isFirst) await makeHome(notes);
      await workAlways(place, notes, time, at);
    },
    check: checkKept,
    steps: {
      "workspace: claimed": 1,
      "workspace: before a keep": 1,
      "workspace: kept": 1,
      "workspace: before a settle": 1,
      "workspace: settled": 1,
      "before machine removal": 1,
      "before read": 1,
      "before upload": 1,
      "a piece of the upload": 1,
      "after upload": 1,
      "before reading back": 1,
      "a piece read": 1,
      "before meta": 1,
      "after meta": 1,
      "before volume removal": 1,
      "after volume removal": 1,
      "before restore": 1,
      "a piece restored": 1,
      "after restore": 1,
    },
  },
);
