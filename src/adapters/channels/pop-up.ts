import type { Channel } from "../../features/notifications/channel.ts";
import type { Clock } from "../../platform/clock.ts";
import { inTime } from "../../platform/deadline.ts";
import { messageOf } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";

/** A desktop that does not answer keeps nobody from reading. */
const timeoutMs = 5_000;
const graceMs = 1_000;

/** A pop-up for what is in an inbox. It only points there: nobody has confirmed anything by it. */
export function popUp(show: Channel, { clock, log }: { clock: Clock; log: Log }): Channel {
  const failed = (reason: string): void => log.warn("pop-up failed", { reason });
  return {
    name: "inbox",
    async send(message, attempt) {
      const limits = { clock, timeoutMs, graceMs, signal: attempt.signal };
      await inTime(limits, (signal) => show.send(message, { ...attempt, signal })).then(
        (sent) => {
          if ("late" in sent) failed(sent.late);
          else if ("reason" in sent.done) failed(sent.done.reason);
        },
        (error: unknown) => failed(messageOf(error)),
      );
      return { result: "absent", reason: "it was only pointed at", maybe: false };
    },
  };
}
