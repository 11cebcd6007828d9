/** A program to be run to its end. */
export interface ProgramRun {
  readonly file: string;
  readonly args: readonly string[];
  /** Where it runs; absent: where we do. */
  readonly cwd?: string | undefined;
  /** The whole environment of the program: nothing of ours goes with it. */
  readonly env: Readonly<Record<string, string>>;
  /** Its standard input. */
  readonly input: string;
  /** Absent: it runs until the signal aborts. */
  readonly timeoutMs?: number | undefined;
  /** A program that writes more is ended; of its error stream the rest is dropped. */
  readonly bytesMax: number;
  /** Ends it, and all that it started. */
  readonly signal: AbortSignal;
  /** Receives the output as it is written, whole characters, up to `bytesMax` of each stream. */
  onOutput?(text: string, stream: "output" | "errors"): void;
  /**
   * All that it started ends with it, also what left its process group where that can be found, and even when we
   * are killed in the middle.
   */
  readonly diesWithUs?: boolean;
}

export type ProgramEnd =
  /** It never ran; `code` is the system's, as ENOENT, or ABORTED when it was told to stop before. */
  | { readonly started: false; readonly code: string }
  | {
      readonly started: true;
      /** Null: it was ended by a signal. */
      readonly status: number | null;
      /** Empty when `onOutput` received it. */
      readonly output: string;
      readonly errors: string;
      /** Why we ended it, if we did. */
      readonly cut: "told to stop" | "time is up" | "said too much" | null;
    };

/** Runs a program. Never rejects. */
export type Spawn = (run: ProgramRun) => Promise<ProgramEnd>;

/** Why a program did not start that may the next time: too many processes, too little memory, a machine that is down. */
export const passing: readonly string[] = [
  "EAGAIN",
  "ENOMEM",
  "EMFILE",
  "ENFILE",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "NOT_RUNNING",
];
