import { harmless } from "../rules/text.ts";
import type { Channel } from "./channel.ts";

/** Prints messages where the daemon runs. The receipt is the line's number. */
export function stdout(options: { write(text: string): Promise<void> }): Channel {
  let lines = 0;
  return {
    name: "stdout",
    async send(message) {
      await options.write(`🔔 ${harmless(message.text)}\n`);
      lines += 1;
      return { result: "delivered", receipt: { line: lines } };
    },
  };
}
