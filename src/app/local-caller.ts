import { sessionOf } from "../features/notifications/index.ts";
import type { Caller } from "../kernel/operation.ts";

/** Whose book is used on one's own machine, and who asks there. */
export const localCaller: Caller = { owner: "me", by: "me", scopes: ["admin"], origin: null };

/** The same, asking in a session: what is asked there is answered there. */
export function localCallerIn(session: string | undefined): Caller {
  return session === undefined
    ? localCaller
    : { ...localCaller, origin: sessionOf(localCaller.owner, session) };
}
