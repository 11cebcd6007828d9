import type { Context, Operation } from "../operations/operation.ts";

/** What the command line may reach. */
export interface CliPorts {
  out(text: string): void;
  /** Talk that is not the answer: progress, errors, hints. */
  err(text: string): void;
  /** Runs `use` with the book open, and closes it afterwards. */
  withBook<T>(use: (context: Context) => Promise<T>): Promise<T>;
  /** Runs the daemon until it is told to stop. */
  serve(): Promise<void>;
  /** Loaded when a command needs them: the daemon does without. */
  operations(): Promise<readonly Operation[]>;
  version: string;
}

/** What the shell is told. */
export const exits = {
  done: 0,
  failed: 1,
  badInput: 2,
  notFound: 3,
  conflict: 4,
  refused: 5,
  unreachable: 6,
} as const;
