import type { Move } from "../../kernel/work-unit.ts";
import { byWakeTime } from "./due-index.ts";
import { put, shelvesOf, type Model } from "./model.ts";
import { isClaimed } from "./row.ts";

/** Parks a lane, or frees one. Never moves a claimed row, and none to before its own time. */
export function move(model: Model, { queue, lane, to, limit }: Move): number {
  const { high, normal, low } = shelvesOf(model, queue, lane);
  const moved = [high, normal, low]
    .flat(2)
    .filter((row) => !isClaimed(row))
    .map((row) => ({ row, wakeAt: Math.max(to, row.readyAt ?? to) }))
    .filter(({ row, wakeAt }) => row.wakeAt !== wakeAt)
    .toSorted((a, b) => byWakeTime(a.row, b.row))
    .slice(0, limit);
  for (const { row, wakeAt } of moved) put(model, { ...row, wakeAt });
  return moved.length;
}
