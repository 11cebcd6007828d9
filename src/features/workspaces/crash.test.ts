import { crashOnEachStore } from "../../testing/crash/crash-test.ts";
import { checkWorkspace, workspaceContent } from "../../testing/crash/workspaces-check.ts";
import { makeHome, workOnWorkspace } from "../../testing/crash/workspaces.ts";

await crashOnEachStore(
  "kill -9 before and after every step of ARCHIVING, RESTORING, STARTING and STOPPING too loses no file and leaves no machine",
  {
    script: import.meta.filename,
    content: workspaceContent,
    stores: ["SQLite", "file", "PostgreSQL"],
    async work({ location, logPath, time, onStep, isFirst }) {
      if (isFirst) await makeHome(logPath);
      await workOnWorkspace(location, logPath, time, onStep);
    },
    check: checkWorkspace,
    steps: {
      "workspace: claimed": 1,
      "workspace: before a keep": 1,
      "workspace: kept": 1,
      "workspace: before a settle": 1,
      "workspace: settled": 1,
      "before machine removal": 2,
      "after machine removal": 2,
      "before machine start": 1,
      "after machine start": 1,
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
