import { scopedName, slots, slotsMax } from "../../kernel/holds.ts";
import type { Hold } from "../../kernel/unit.ts";

// Held names are stored in books: none may change.

/** One live workspace of an owner has a name. */
export function workspaceHold(owner: string, name: string): string {
  return scopedName("workspace:", owner, name.toLowerCase());
}

/** One of the slots of the owner for workspaces that run or will run, and one of the slots of all owners. */
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

/** The limit that a held name belongs to. */
export function workspaceLimitOf(name: unknown): "per_user" | "global" | undefined {
  if (typeof name !== "string") return undefined;
  if (name.startsWith(workspacesOf)) return "per_user";
  return name.startsWith(`${workspacesInAll}#`) ? "global" : undefined;
}
