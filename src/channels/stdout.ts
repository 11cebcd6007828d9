import { messageOf } from "../base/errors.ts";
import { harmless } from "../rules/text.ts";
import type { Channel } from "./channel.ts";

/** Prints messages where the daemon runs. The receipt is the line's number. */
export function stdout(options: { write(text: string): Promise<void> }): Channel {
  let lines = 0;
  return {
    name: "stdout",
    async send(message) {
      try {
        await options.write(`🔔 ${harmless(message.text)}\n`);
      } catch (error) {
        return { result: "retry", reason: messageOf(error), destinationDown: true };
      }
      lines += 1;
      return { result: "delivered", receipt: { line: lines } };
    },
  };
}
