import { type Channel, type Sent, stopped } from "../../features/notifications/index.ts";
import { messageOf } from "../../platform/errors.ts";
import { harmless, oneLine } from "../../platform/text.ts";

/** Prints messages where the daemon runs. The receipt is the line's number. */
export function stdout(options: { write(text: string): Promise<void> }): Channel {
  let lines = 0;
  const print = async (text: string): Promise<Sent> => {
    try {
      await options.write(`🔔 ${harmless(text)}\n`);
    } catch (error) {
      return { result: "retry", reason: oneLine(messageOf(error), 500), destinationDown: true };
    }
    lines += 1;
    return { result: "delivered", receipt: { line: lines } };
  };
  return {
    name: "stdout",
    async send({ text }, { signal }) {
      if (signal.aborted) return stopped();
      const { promise: aborted, resolve } = Promise.withResolvers<Sent>();
      const onAbort = (): void =>
        resolve({ result: "unknown", reason: "told to stop in the middle" });
      signal.addEventListener("abort", onAbort, { once: true });
      // A terminal that is stopped (Ctrl-S) blocks the write.
      const sent = await Promise.race([print(text), aborted]);
      signal.removeEventListener("abort", onAbort);
      return sent;
    },
  };
}
