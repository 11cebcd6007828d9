import { controller, type Controller } from "../../kernel/controller.ts";
import { controllersWith } from "../../kernel/feature.ts";
import type { Resolved } from "../../kernel/port.ts";
import { task, taskQueue } from "./kind.ts";
import { needs, type Runner, type WorkspaceSeen } from "./ports.ts";
import { afterRefusal, decideEnd, postponed, readEnd, waiting, type RunEnd } from "./run-end.ts";

type Seen =
  | { readonly saw: "workspace"; readonly seen: WorkspaceSeen & { readonly is: "down" } }
  | { readonly saw: "end"; readonly end: RunEnd };

const workspaceCheckMs = 60_000;

function taskController(
  runner: Runner,
  { runHooks, workspaces }: Resolved<typeof needs>,
): Controller {
  return controller({
    name: `tasks ${runner.name}`,
    kind: task,
    queue: taskQueue(runner.name),
    before: (record, facts) => postponed(record, facts, runHooks),
    async act(record): Promise<Seen> {
      const name = record.body.in;
      const seen = name === undefined ? undefined : await workspaces.look(record, name);
      if (seen?.is === "down") return { saw: "workspace", seen };
      const attempt =
        seen?.is === "never"
          ? ({ result: "failed", text: seen.reason } as const)
          : await runner.run(record, seen?.id);
      return { saw: "end", end: await readEnd(record, attempt, runHooks) };
    },
    decide(record, look, facts) {
      if (look.saw === "end") return decideEnd(record, look.end, facts);
      // It waits as a record: the workspace's settle wakes it, and this is the net under that.
      const consequences = record.cancelling ? {} : look.seen.consequences;
      const wakeAt = facts.now + workspaceCheckMs;
      return waiting(
        record,
        { state: "pending", wakeAt, freshStart: true, consequences },
        runHooks,
      );
    },
    async reread(record, look, refused): Promise<Seen> {
      if (look.saw !== "end") return look;
      const attempt = afterRefusal(look.end, refused);
      return { saw: "end", end: await readEnd(record, attempt, runHooks) };
    },
  });
}

export const controllers = controllersWith(needs, (ports) =>
  ports.runners.map((runner) => taskController(runner, ports)),
);
