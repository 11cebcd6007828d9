/**
 * `read`: read records. `write`: create and cancel them. `target`: name any target. `cron`: run what is due in every
 * book without reading any of it. `admin`: everything, for every owner.
 */
export const scopes = ["read", "write", "target", "cron", "admin"] as const;
export type Scope = (typeof scopes)[number];

export function allows(granted: readonly Scope[], needed: Scope): boolean {
  return granted.includes("admin") || granted.includes(needed);
}
