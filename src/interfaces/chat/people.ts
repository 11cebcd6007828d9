import {
  wrongCodeLimit,
  findPerson,
  joinByCode,
  type LinkedCaller,
  type ChatPeople,
} from "../../features/accounts/index.ts";
import type { Clock } from "../../platform/clock.ts";

/** People who are linked to chats. */
export interface People {
  /** Undefined for somebody who is not linked. */
  find(channel: string, sender: string): Promise<LinkedCaller | undefined>;
  /** Throws `refused` when the code is wrong, and `busy` when too many were. */
  join(
    code: string,
    who: { readonly channel: string; readonly sender: string; readonly name: string },
  ): Promise<LinkedCaller>;
}

export function people(context: ChatPeople, clock: Pick<Clock, "mono">): People {
  const limit = wrongCodeLimit(clock.mono);
  return {
    find: (channel, sender) => findPerson(context, channel, sender),
    join: (code, who) => joinByCode(context, code, who, limit),
  };
}
