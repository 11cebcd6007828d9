import { fileHolder } from "../../features/events/event-task.ts";
import type { TaskKind } from "../../features/tasks/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { toRecord, type Row } from "../memory/row.ts";
import { isToBeHad } from "./claim-one.ts";
import type { OutsideDesk } from "./context.ts";
import type { Worker } from "./external.ts";

export function isOutside(row: Row): boolean {
  return row.lease?.holder.startsWith(fileHolder) === true;
}

/** Who may work on the row outside, if it is a task that somebody may have now. */
export function workerFor({ outside, now }: OutsideDesk, row: Row): Worker | undefined {
  return isToBeHad(row, now()) ? outside.worker(taskOf(row)) : undefined;
}

export async function claimFor(
  desk: OutsideDesk,
  row: Row,
  { name, leaseMs }: Worker,
): ReturnType<OutsideDesk["claim"]> {
  const claimed = await desk.claim(row.id, `${fileHolder}${name}`, leaseMs);
  if (claimed === undefined) return undefined;
  desk.taken.add(row.id);
  desk.onStep("taken");
  return claimed;
}

export function taskOf(row: Row): LedgerRecord<TaskKind> {
  return toRecord(row) as LedgerRecord<TaskKind>;
}
