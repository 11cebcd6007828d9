import * as z from "zod";
import { crud } from "../../kernel/crud.ts";
import { operation } from "../../kernel/operation.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { wireOf } from "../../kernel/wire.ts";
import { makeTask, task, type TaskKind } from "./kind.ts";
import { runBy, runSpec, runTypes } from "./run-type.ts";

export const view = wireOf(
  z.object({ id: z.string(), state: z.string(), name: z.string(), summary: z.string().nullable() }),
);

export function shown({ id, state, body, outcome }: LedgerRecord<TaskKind>): z.output<typeof view> {
  return { id, state, name: body.name, summary: outcome?.summary ?? null };
}

export const runTask = operation({
  name: "run_task",
  summary: "Run something once.",
  input: runSpec,
  output: view,
  scope: "write",
  route: { method: "POST", path: "/v1/tasks" },
  needs: { runTypes },
  async run(spec, context, ports) {
    const { book, now: at, owner } = context;
    const by = runBy(ports.runTypes, spec, context);
    return shown((await book.append(makeTask({ ...by, at, target: `inbox:${owner}` }))).record);
  },
});

export const { show, cancel } = crud(task, { plural: "tasks", view, show: shown });
