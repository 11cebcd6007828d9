/**
 * `read`: look. `write`: ask and take back. `target`: name any target. `cron`: let what is due be done, in every book,
 * and see nothing of it. `admin`: all of it, for every owner.
 */
export const scopes = ["read", "write", "target", "cron", "admin"] as const;
export type Scope = (typeof scopes)[number];

export function allows(granted: readonly Scope[], needed: Scope): boolean {
  return granted.includes("admin") || granted.includes(needed);
}
