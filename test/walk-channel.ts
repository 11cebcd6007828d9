import type { Channel } from "../src/features/notifications/channel.ts";

/** `hang`: a send never comes back. `finish`: it comes back when it is told to stop. `deliver`: at once. */
export type Mode = "hang" | "finish" | "deliver";

/** A channel that says what it does. */
export function walkChannel(mode: Mode, say: (line: string) => void): Channel {
  return {
    name: "stdout",
    async send({ id, maybeRepeat }, { signal }) {
      say(`sending ${id} maybeRepeat=${maybeRepeat}`);
      if (mode === "hang") await new Promise(() => undefined);
      if (mode === "finish")
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return { result: "delivered", receipt: { mode } };
    },
  };
}
