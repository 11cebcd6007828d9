import * as z from "zod";
import { crud } from "../../kernel/crud.ts";
import { operation } from "../../kernel/operation.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { draft } from "../../kernel/unit.ts";
import { moment, wireOf } from "../../kernel/wire.ts";
import { runBy, runSpec, runTypes } from "../tasks/index.ts";
import { schedule, type ScheduleKind } from "./kind.ts";

export const view = wireOf(
  z.object({ id: z.string(), name: z.string(), state: z.string(), nextRunAt: moment.nullable() }),
);

export function shown({
  id,
  body,
  state,
  wakeAt,
}: LedgerRecord<ScheduleKind>): z.output<typeof view> {
  return { id, name: body.name, state, nextRunAt: wakeAt };
}

export const createSchedule = operation({
  name: "create_schedule",
  summary: "Run something again and again.",
  input: z.strictObject({
    name: z.string(),
    every_ms: z.int(),
    run: runSpec,
    notify_after_failures: z.int().default(3),
  }),
  output: view,
  scope: "write",
  route: { method: "POST", path: "/v1/schedules" },
  needs: { runTypes },
  async run(
    { name, run, every_ms: everyMs, notify_after_failures: notifyAfterFailures },
    context,
    ports,
  ) {
    runBy(ports.runTypes, run, context); // refuses what cannot run here
    const { book, owner, now } = context;
    const body = { name, run, everyMs, notifyAfterFailures, target: `inbox:${owner}` };
    const holds = [`schedule-name:${owner}:${name}`];
    return shown(
      (await book.append(draft(schedule, { body, state: "active", wakeAt: now, holds }))).record,
    );
  },
});

export const { list, show, cancel, pause, resume } = crud(schedule, {
  plural: "schedules",
  view,
  show: shown,
});
