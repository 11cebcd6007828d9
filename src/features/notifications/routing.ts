import * as z from "zod";

/** Why a message goes where it goes. */
export const routeReason = z.enum(["asked", "origin", "home", "inbox", "import"]);

/** Where a message goes, and why there. */
export interface Route {
  readonly target: string;
  readonly reason: z.output<typeof routeReason>;
}

/**
 * What was asked for; else the chat or session that asked; else the owner's home; else the inbox, which
 * every owner has. Decided once, when it is asked: content never goes elsewhere because a place is gone.
 */
export function routeOf(request: {
  readonly target?: string | undefined;
  readonly origin: string | null;
  readonly home: string | null;
  readonly owner: string;
}): Route {
  if (request.target !== undefined) return { target: request.target, reason: "asked" };
  if (request.origin !== null) return { target: request.origin, reason: "origin" };
  if (request.home !== null) return { target: request.home, reason: "home" };
  return { target: inboxOf(request.owner), reason: "inbox" };
}

/** What was imported has no place it was asked in: it goes to everybody of the owner who is there. */
export function importRoute(owner: string): Route {
  return { target: sessionsOf(owner), reason: "import" };
}

/** All who listen for an owner right now, to the inbox or in a session. */
export function sessionsOf(owner: string): string {
  return `sessions:${owner}`;
}

/** Durable, and every owner has one. */
export function inboxOf(owner: string): string {
  return `inbox:${owner}`;
}

/** One listener's own place. The name is written so that it never reads as part of an owner's. */
export function sessionOf(owner: string, name: string): string {
  return `session:${owner}/${encodeURIComponent(name.toWellFormed())}`;
}
