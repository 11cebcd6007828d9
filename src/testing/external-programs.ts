import type { EventKind } from "../features/events/kind.ts";
import { emptyOutcome, makeTask, type TaskKind } from "../features/tasks/kind.ts";
import type { DraftOf } from "../kernel/unit.ts";
import { DaybookError } from "../platform/errors.ts";
import type { Outside } from "../stores/file/external.ts";
import type { Step } from "../stores/file/step.ts";

export interface Heard {
  readonly outside: Outside;
  readonly onStep: (step: Step) => void;
  /** Resolves when that has happened so many times in all. */
  until(what: Step, times?: number): Promise<void>;
  /** How many tasks were taken back. */
  lost(): number;
}

/** Rules for what others drop and write, as short as they can be. */
export function outsideForTests({ leaseMs }: { leaseMs: number }): Heard {
  const counts = new Map<string, number>();
  const waiting = new Set<() => void>();
  let lost = 0;
  const count = (what: string): void => {
    counts.set(what, (counts.get(what) ?? 0) + 1);
    for (const look of waiting) look();
  };
  const outside: Outside = {
    who: { owner: "me", by: "file:" },
    drop(kind, json) {
      if (json["type"] === "refuse.me") throw new DaybookError("invalid", "Send not this type.");
      if (kind === "event") return { draft: eventDraft(json) };
      return { draft: { ...taskDraft(json.id), kind: "task" } };
    },
    worker: ({ queue }) => (queue === "task@gen-pr" ? { name: "gen-pr", leaseMs } : undefined),
    result(task, json) {
      if (json === null) {
        lost += 1;
        return { state: "pending", wakeAt: 0 };
      }
      const result = { ...(json as object), task_id: task.id } as { status?: string };
      const { status = "" } = result;
      if (!["success", "failed"].includes(status)) {
        throw new DaybookError("invalid", `${status} is no status.`);
      }
      if (status === "failed") return { state: "pending", wakeAt: 0 };
      return { ends: "completed", outcome: { ...emptyOutcome, result } };
    },
  };
  return {
    outside,
    onStep: count,
    until: (what, times = 1) =>
      new Promise((resolve) => {
        const look = (): void => {
          if ((counts.get(what) ?? 0) < times) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    lost: () => lost,
  };
}

function eventDraft(json: Readonly<Record<string, unknown>> & { id: string }): DraftOf<EventKind> {
  const { id, type, source, payload = {} } = json;
  const body = { name: id, type: String(type), source: String(source), repo: null, at: 1 };
  const said = { ...body, payload: payload as Record<string, never>, origin: null, hops: 0 };
  return { kind: "event", id, state: "pending", wakeAt: 1, body: said };
}

/** A task that outside workers may have. */
export function taskDraft(id: string): DraftOf<TaskKind> {
  const body = { name: "gen-pr", input: null, at: 1, target: "inbox:me", origin: null };
  return { ...makeTask({ ...body, timeoutMs: 60_000 }), id };
}
