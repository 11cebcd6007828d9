import * as z from "zod";
import { defineKind, type Kind, type KindOf } from "../../kernel/kind.ts";
import { moment } from "../../kernel/wire.ts";
import { runSpec } from "../tasks/index.ts";

const defined = defineKind({
  name: "schedule",
  body: z.strictObject({
    name: z.string(),
    everyMs: z.int(),
    run: runSpec,
    target: z.string(),
    notifyAfterFailures: z.int(),
  }),
  outcome: z.strictObject({
    lastRunState: z.string().nullable(),
    failures: z.int(),
    nextRunAt: moment.nullable(),
  }),
  states: { active: ["paused", "disabled"], paused: ["active", "disabled"], disabled: ["active"] },
  retention: "forever",
  holds: ["schedule-name:"],
  target: (body) => body.target,
});
export interface ScheduleKind extends KindOf<typeof defined> {}
export const schedule: Kind<ScheduleKind> = defined;
