import * as z from "zod";

/** Why a message has its target. */
export const routeReason = z.enum(["asked", "origin", "home", "inbox", "import"]);

/** The target of a message, and why. */
export interface Route {
  readonly target: string;
  readonly reason: z.output<typeof routeReason>;
}

/**
 * The target of the request; else its chat or session; else the owner's home; else the inbox. Decided once, when the
 * request is made: a message is never redirected because its target has become unreachable.
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

/** Whether what is sent there waits until a listener attaches. */
export function isForListeners(target: string): boolean {
  return /^(?:inbox|sessions?):/.test(target);
}

/** An imported notification has no origin: it goes to the owner's home, else to all attached listeners of the owner. */
export function importRoute({ owner, home }: { owner: string; home: string | null }): Route {
  if (home !== null) return { target: home, reason: "home" };
  return { target: sessionsOf(owner), reason: "import" };
}

/** All attached listeners of an owner, in the inbox or a session. */
export function sessionsOf(owner: string): string {
  return `sessions:${owner}`;
}

/** The owner's inbox: durable, and every owner has one. */
export function inboxOf(owner: string): string {
  return `inbox:${owner}`;
}

/** The command that attaches a listener to a target. */
export function attachCommand(target: string): string {
  const [, encoded] = /^session:[^/]*\/(.*)$/.exec(target) ?? [];
  const name = encoded === undefined ? undefined : decoded(encoded);
  if (name === undefined) return "daybook attach";
  const typed = /^[\w@%+=:,./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
  return `daybook attach --session ${typed}`;
}

/** Undefined: it was not written by `sessionOf`. */
function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

/** The session of one listener. Its name is encoded, so that it is never read as part of the owner's. */
export function sessionOf(owner: string, name: string): string {
  return `session:${owner}/${encodeURIComponent(name.toWellFormed())}`;
}
