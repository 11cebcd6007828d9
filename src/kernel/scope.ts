/**
 * `read`: read records. `write`: create, change and cancel them. `target`: name any target. `run`: have commands run as
 * the daemon's user. `cron`: run due records of every book without reading them. `admin`: everything, for every owner.
 */
export const scopes = ["read", "write", "target", "run", "cron", "admin"] as const;
export type Scope = (typeof scopes)[number];

export function allows(granted: readonly Scope[], needed: Scope): boolean {
  return granted.includes("admin") || granted.includes(needed);
}
