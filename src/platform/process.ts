/** A program to run to its end. */
export interface ProgramRun {
  readonly file: string;
  readonly args: readonly string[];
  /** Its working directory. Default: this process's own. */
  readonly cwd?: string | undefined;
  /** The complete environment of the program: it inherits nothing. */
  readonly env: Readonly<Record<string, string>>;
  /** Its standard input. */
  readonly input: string;
  /** Absent: it runs until the signal aborts. */
  readonly timeoutMs?: number | undefined;
  /** A program that writes more is ended; of its error stream the rest is dropped. */
  readonly bytesMax: number;
  /** Ends it, and every process it started. */
  readonly signal: AbortSignal;
  /** Receives the output as it is written, in complete characters, up to `bytesMax` of each stream. */
  onOutput?(text: string, stream: "output" | "errors"): void;
  /**
   * Every process it started ends with it, also one that left its process group where that can be found, and even when
   * this process is killed.
   */
  readonly diesWithUs?: boolean;
}

export type ProgramEnd =
  /** It never ran; `code` is the system's, such as ENOENT, or ABORTED when the signal had aborted. */
  | { readonly started: false; readonly code: string }
  | {
      readonly started: true;
      /** Null: a signal ended it. */
      readonly status: number | null;
      /** Empty when `onOutput` received it. */
      readonly output: string;
      readonly errors: string;
      /** The reason for ending it; null: it ended by itself. */
      readonly cut: "told to stop" | "time is up" | "said too much" | null;
    };

/** Runs a program. Never rejects. */
export type Spawn = (run: ProgramRun) => Promise<ProgramEnd>;

/** Error codes of a start that may succeed later: too many processes, too little memory, a machine that is down. */
export const transientStartErrors: readonly string[] = [
  "EAGAIN",
  "ENOMEM",
  "EMFILE",
  "ENFILE",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "NOT_RUNNING",
];
