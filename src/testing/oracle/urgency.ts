import { eventKind } from "../../features/events/kind.ts";
import { taskKind } from "../../features/tasks/kind.ts";
import { is } from "../../kernel/kind.ts";
import { priorities, type AnyRecord, type Claimed } from "../../kernel/record.ts";
import { owners } from "../simulator/targets.ts";
import type { CallOf, Watch } from "./calls.ts";
import { checkInvariant } from "./model.ts";

/** Of events and tasks, what is urgent is handed out first, and nothing that is more urgent is left waiting. */
export function checkUrgency(watch: Watch, { input, answer }: CallOf<"claim">): void {
  const records = answer?.records ?? [];
  const last = records.at(-1);
  if (answer === undefined || (!is(eventKind, last) && !is(taskKind, last))) return;
  const sign = input.lowFirst === true ? -1 : 1;
  const ranks = records.map((record) => rankOf(record) * sign);
  const isInOrder = ranks.every((rank, index) => rank >= (ranks[index - 1] ?? -Infinity));
  const detail = (): string => JSON.stringify([input, records]);
  checkInvariant(watch.model, isInOrder, "records are claimed in order of priority", detail);
  const isFull = records.length === input.limit && sign === 1 && input.lane === undefined;
  if (!isFull || (input.except ?? []).length > 0) return;
  const left = owners.flatMap((owner) => waitingWith(watch, owner, last, answer.now));
  checkInvariant(
    watch.model,
    left.every((each) => rankOf(each) >= rankOf(last)),
    "no record of higher priority is left waiting",
    detail,
  );
}

function waitingWith(
  { engine }: Watch,
  owner: string,
  { kind, queue }: Claimed,
  now: number,
): readonly AnyRecord[] {
  const query = { kind, live: true, limit: 500 } as const;
  const { records } = engine.list({ who: { owner, by: "oracle" }, query });
  return records.filter(
    ({ queue: own, wakeAt, lease }) =>
      own === queue && lease === null && wakeAt !== null && wakeAt <= now,
  );
}

function rankOf({ priority }: Pick<AnyRecord, "priority">): number {
  return priorities.indexOf(priority);
}
