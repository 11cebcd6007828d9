import { sessionOf } from "../features/notifications/index.ts";
import type { Caller } from "../kernel/operation.ts";

/** The caller on one's own machine, and the owner of the book that it uses. */
export const localCaller: Caller = { owner: "me", by: "me", scopes: ["admin"], origin: null };

/** The same caller in a session, which gets its answers. */
export function localCallerIn(session: string | undefined): Caller {
  return session === undefined
    ? localCaller
    : { ...localCaller, origin: sessionOf(localCaller.owner, session) };
}
