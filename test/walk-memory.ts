import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { stdout } from "../src/adapters/channels/stdout.ts";
import { open } from "../src/app/library/open.ts";
import type { Channel } from "../src/features/notifications/channel.ts";
import { makeNotification } from "../src/features/notifications/kind.ts";
import type { Daemon, WalkBook } from "./walk-book.ts";
import { walkChannel } from "./walk-channel.ts";

/** A book that ends with its process: who asks and the daemon are this one. */
export async function memoryBook(t: TestContext): Promise<WalkBook> {
  let daemon = heard();
  const installed = stdout({ write: async (text) => daemon.hear(text.trimEnd()) });
  let channel: Channel = installed;
  const send: Channel["send"] = (message, attempt) => channel.send(message, attempt);
  const book = await open({ store: "memory:", channels: [{ name: "stdout", send }] });
  t.after(() => book.close());
  return {
    isShared: () => true,
    said: undefined,
    async remind(message, inMs) {
      const where = { target: "stdout:daemon", origin: "stdout:daemon" };
      const at = Date.now() + inMs;
      const draft = makeNotification({ message, at, atText: `+${inMs / 1_000}s`, ...where });
      return (await book.ledger.of("me", "test").append(draft)).id;
    },
    async daemon(mode) {
      const started = (daemon = heard());
      channel = mode === undefined ? installed : walkChannel(mode, started.hear);
      await book.start();
      const crash = (): Promise<never> => assert.fail("A book in memory dies with its process.");
      return { lines: started.lines, line: started.line, stop: () => book.stop(), crash };
    },
    another: undefined,
    using: (use) => use(book.ledger),
  };
}

/** What was said so far, and a wait for what is to come. */
function heard(): Pick<Daemon, "lines" | "line"> & { hear(line: string): void } {
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  return {
    lines,
    hear(line) {
      lines.push(line);
      for (const look of waiting) look();
    },
    line: (match) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = lines.find((line) => match.test(line));
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}
