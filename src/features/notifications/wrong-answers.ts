import type { Events } from "../../kernel/events.ts";
import type { Bus } from "../../platform/event-bus.ts";

/** A channel may have another problem with each answer. */
const problemsMax = 20;

/** Reports each problem of a channel's answers once, however many messages it sends. */
export function wrongAnswers(
  events: Pick<Bus<Events>, "emit">,
): (channel: string, problem: string) => void {
  const reported = new Map<string, Set<string>>();
  return (channel, problem) => {
    const known = reported.get(channel) ?? new Set();
    if (known.has(problem) || known.size >= problemsMax) return;
    reported.set(channel, known.add(problem));
    events.emit("channel answered wrongly", { channel, problem });
  };
}
