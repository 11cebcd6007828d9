import * as z from "zod";
import { feature } from "../../kernel/feature.ts";
import { provide } from "../../kernel/port.ts";
import { runType, runTypes } from "../tasks/index.ts";
import { explainSchedule, scheduleActions } from "./explain.ts";
import { schedule } from "./kind.ts";
import { cancel, createSchedule, list, pause, resume, show } from "./operations.ts";
import { countRuns } from "./run-count.ts";

const ping = runType({
  name: "ping",
  input: z.strictObject({ graceMs: z.int() }),
  runnable: () => undefined,
  draft: (input) => ({ name: "ping", input }),
});

export const schedules = feature({
  name: "schedules",
  kinds: [schedule],
  operations: {
    createSchedule,
    listSchedules: list,
    showSchedule: show,
    pauseSchedule: pause,
    resumeSchedule: resume,
    deleteSchedule: cancel,
  },
  needs: { runTypes },
  controllers: () => import("./controller.ts"),
  provides: [countRuns, provide(runTypes, {}, () => ping)],
  explain: [explainSchedule],
  actions: [scheduleActions],
});
