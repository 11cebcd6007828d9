/**
 * Runs many command lines in one process, because a process per command line takes minutes. Each line runs the whole
 * program: it reads `process.argv` and `process.env`, writes to the standard streams and sets the exit status.
 * This file imports nothing, so that the program loads its modules itself.
 */
export interface CommandLine {
  readonly typed: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Finished {
  readonly typed: readonly string[];
  /** Null when the program ended without setting a status. */
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

type Written = (error?: Error | null) => void;

function capture(stream: NodeJS.WriteStream): () => string {
  let text = "";
  stream.setMaxListeners(0); // the program listens to it once per line
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    text += String(chunk);
    const written = rest.find((each) => typeof each === "function") as Written | undefined;
    if (written !== undefined) queueMicrotask(() => written());
    return true;
  };
  return () => text;
}

async function runLines(program: string, lines: readonly CommandLine[]): Promise<Finished[]> {
  const shared = { ...process.env };
  const finished: Finished[] = [];
  for (const [at, { typed, env }] of lines.entries()) {
    const out = capture(process.stdout);
    const err = capture(process.stderr);
    process.argv = [process.execPath, "daybook", ...typed];
    process.env = { ...shared, ...env };
    process.exitCode = undefined;
    await import(`${program}?line=${at}`); // a new query runs the module again
    finished.push({ typed, exit: process.exitCode ?? null, out: out(), err: err() });
  }
  return finished;
}

if (import.meta.main) {
  const write = process.stdout.write.bind(process.stdout);
  const [, , program = "", lines = "[]"] = process.argv;
  const finished = await runLines(program, JSON.parse(lines) as CommandLine[]);
  process.exitCode = 0;
  write(JSON.stringify(finished));
}
