import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Job } from "../../features/tasks/index.ts";

interface TaskInput {
  /** For the program's standard input. */
  readonly input: string;
  readonly env: Readonly<Record<string, string>>;
  /** Keeps the file while `run` runs, and removes it then: it is private. */
  during<T>(run: () => Promise<T>): Promise<T>;
}

/** The task for a program: on its standard input, and in a file for its children. */
export async function taskFile(job: Job): Promise<TaskInput> {
  if (job.event === undefined) return taskInput(job);
  const { input } = taskInput(job);
  const folder = await mkdtemp(join(tmpdir(), "daybook-task-"));
  const file = join(folder, "task.json");
  await writeFile(file, input, { mode: 0o600 });
  return {
    input,
    env: { DAYBOOK_TASK_FILE: file },
    async during(run) {
      try {
        return await run();
      } finally {
        // The run's result does not depend on it.
        await rm(folder, { recursive: true, force: true }).catch(() => undefined);
      }
    },
  };
}

/** On its standard input only. */
export function taskInput({ event }: Job): TaskInput {
  const input = event === undefined ? "" : `${JSON.stringify(event)}\n`;
  return { input, env: {}, during: (run) => run() };
}
