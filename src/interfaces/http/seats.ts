import { DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import type { SessionPort } from "./attach.ts";

const perOwnerMax = 100;

/** The same port, with so many seats for each owner: one who listens more often is turned away. */
export function seated(sessions: SessionPort): SessionPort {
  const taken = new Map<string, number>();
  const take = (owner: string): void => {
    const count = taken.get(owner) ?? 0;
    if (count >= perOwnerMax) throw tooMany(owner);
    taken.set(owner, count + 1);
  };
  const free = (owner: string): void => {
    const left = (taken.get(owner) ?? 1) - 1;
    if (left === 0) taken.delete(owner);
    else taken.set(owner, left);
  };
  return {
    ...sessions,
    async attach(caller, socket, session) {
      const { owner } = caller;
      take(owner); // before anything is waited for, so that two at once cannot have the last seat
      try {
        const attached = await sessions.attach(caller, socket, session);
        return {
          ...attached,
          async detach() {
            free(owner);
            await attached.detach();
          },
        };
      } catch (error) {
        free(owner);
        throw error;
      }
    },
  };
}

function tooMany(owner: string): DaybookError {
  const sentence = `${perOwnerMax} listen in the book of ${quote(owner)} at this node, and no more may: close one of them first.`;
  return new DaybookError("refused", sentence, { details: { limit: perOwnerMax } });
}
