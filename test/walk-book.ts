import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { open } from "../src/app/library/open.ts";
import type { Ledger } from "../src/kernel/ledger.ts";
import { child, folder, type Child } from "./child.ts";
import type { Mode } from "./walk-channel.ts";

const shim = fileURLToPath(new URL("../bin/daybook.js", import.meta.url));
const source = fileURLToPath(new URL("../src/bin.ts", import.meta.url));
export const bin: string = existsSync(shim) ? shim : source;
const testDaemon = fileURLToPath(new URL("walk-daemon.ts", import.meta.url));

/** Somebody who does what the book asks for. */
export interface Daemon extends Pick<Child, "lines" | "line"> {
  /** Ends it as an init system does: what it was doing is settled when this returns. */
  stop(): Promise<void>;
  /** Ends it as a power failure does. */
  crash(): Promise<void>;
}

/** One book, and how it is asked: all that a walk differs in from store to store. */
export interface WalkBook {
  /** Asks for something to be said, and gives its id. */
  remind(message: string, inMs: number): Promise<string>;
  /** What a command prints, once it has ended well; undefined where no command can reach the book. */
  readonly said: ((...args: string[]) => Promise<string>) | undefined;
  /** A daemon that is ready: as it is installed, or with a channel that does as the mode says. */
  daemon(mode?: Mode): Promise<Daemon>;
  /** One more, as it is installed, from a home of its own; undefined where only one can have the book. */
  readonly another: (() => Promise<Daemon>) | undefined;
  /** Whether it can be asked while such a daemon has it; if not, it is asked before. */
  isShared(mode: Mode | undefined): boolean;
  /** Uses the book without the command line. */
  using<T>(use: (ledger: Ledger) => Promise<T>): Promise<T>;
}

/** A book that each command and each daemon opens in a process of its own. */
export function processBook(
  t: TestContext,
  store: string,
  isShared: WalkBook["isShared"] = () => true,
): WalkBook {
  const env = { DAYBOOK_HOME: folder(t), DAYBOOK_STORE: store, DAYBOOK_TIMEZONE: "Asia/Seoul" };
  const daybook = (...args: string[]): Child => child(t, bin, args, env);
  const ready = async (started: Child, line = /is ready/): Promise<Daemon> => {
    await started.line(line);
    return processDaemon(started);
  };
  const said = async (...args: string[]): Promise<string> => {
    const run = daybook(...args);
    assert.equal(await run.ended, 0, run.lines.join("\n"));
    return run.lines.join("\n");
  };
  return {
    isShared,
    said,
    async remind(message, inMs) {
      const where = ["--target", "stdout:daemon"];
      const answer = await said("remind", message, "--at", `+${inMs / 1_000}s`, ...where, "--json");
      return (JSON.parse(answer) as { id: string }).id;
    },
    daemon: (mode) =>
      mode === undefined
        ? ready(daybook("start"))
        : ready(child(t, testDaemon, [mode, store]), /^ready$/),
    another: () => ready(child(t, bin, ["start"], { ...env, DAYBOOK_HOME: folder(t) })),
    async using(use) {
      const book = await open({ store });
      try {
        return await use(book.ledger);
      } finally {
        await book.close();
      }
    },
  };
}

function processDaemon(started: Child): Daemon {
  return {
    lines: started.lines,
    line: started.line,
    async stop() {
      started.kill("SIGTERM");
      assert.equal(await started.ended, 0, started.lines.join("\n"));
    },
    async crash() {
      started.kill("SIGKILL");
      assert.equal(await started.ended, "SIGKILL");
    },
  };
}

export const sqliteBook = (t: TestContext): WalkBook =>
  processBook(t, `sqlite:${join(folder(t), "book.db")}`);

/** One process owns the folder: while a daemon has it, the daemon is asked. */
export const fileBook = (t: TestContext): WalkBook =>
  processBook(t, `file:${join(folder(t), "book")}`, (mode) => mode === undefined);
