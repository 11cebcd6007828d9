import { scopedName, slots, slotsMax } from "../../kernel/holds.ts";
import type { Hold } from "../../kernel/unit.ts";

// Names that are held stand in books: none may change.

/** A name is one live workspace's in a book. */
export function workspaceHold(owner: string, name: string): string {
  return scopedName("workspace:", owner, name.toLowerCase());
}

/** One of the owner's slots for workspaces that run or are to run, and one of all owners'. */
export function workspaceSlots(
  owner: string,
  { perOwner, inAll }: { perOwner: number; inAll: number },
): readonly Hold[] {
  return [
    slots(scopedName(workspacesOf, owner), Math.min(perOwner, slotsMax)),
    slots(workspacesInAll, Math.min(inAll, slotsMax)),
  ];
}

const workspacesOf = "workspaces-of:";
const workspacesInAll = "workspaces";

/** Which of the limits a name that is held by others belongs to. */
export function workspaceLimitOf(name: unknown): "per_user" | "global" | undefined {
  if (typeof name !== "string") return undefined;
  if (name.startsWith(workspacesOf)) return "per_user";
  return name.startsWith(`${workspacesInAll}#`) ? "global" : undefined;
}
