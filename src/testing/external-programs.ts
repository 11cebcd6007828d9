import { eventFile, taskFile } from "../features/events/file.ts";
import { eventKind, type EventKind } from "../features/events/kind.ts";
import { messageFile, messageFromFile } from "../features/notifications/file.ts";
import { notificationKind } from "../features/notifications/kind.ts";
import { makeTask, taskKind, type TaskKind } from "../features/tasks/kind.ts";
import { emptyOutcome } from "../features/tasks/outcome.ts";
import { readDropped, fileActions, type ExternalPrograms, type FileWork } from "../kernel/files.ts";
import type { DraftOf } from "../kernel/unit.ts";
import { DaybookError } from "../platform/errors.ts";
import type { Json } from "../platform/json.ts";
import type { Step } from "../stores/file/step.ts";

export interface TestPrograms {
  readonly external: ExternalPrograms;
  readonly onStep: (step: Step) => void;
  /** Resolves when that has happened so many times in all. */
  until(what: Step, times?: number): Promise<void>;
  /** How many tasks were taken back. */
  lost(): number;
}

/** Rules for what others drop and write, as short as they can be. */
export function testPrograms({ leaseMs }: { leaseMs: number }): TestPrograms {
  const counts = new Map<string, number>();
  const waiting = new Set<() => void>();
  let lost = 0;
  const count = (what: string): void => {
    counts.set(what, (counts.get(what) ?? 0) + 1);
    for (const look of waiting) look();
  };
  const work = workOver(leaseMs, () => (lost += 1));
  return {
    external: { owner: "me", by: "file:", actions: actionsWith(work) },
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

function actionsWith(work: FileWork<TaskKind>): ExternalPrograms["actions"] {
  return new Map([
    fileActions(eventKind, {
      drop(content) {
        const file = readDropped(eventFile, content);
        if (file.type === "refuse.me") throw new DaybookError("invalid", "Send not this type.");
        return { draft: eventDraft(file) };
      },
    }),
    fileActions(taskKind, {
      drop: (content) => ({ draft: taskDraft(readDropped(taskFile, content).id) }),
      work,
    }),
    fileActions(notificationKind, {
      drop: (content) => ({ draft: messageFromFile(readDropped(messageFile, content), 1) }),
    }),
  ]);
}

function workOver(leaseMs: number, onLost: () => void): FileWork<TaskKind> {
  return {
    worker: ({ queue }) => (queue === "task@gen-pr" ? { name: "gen-pr", leaseMs } : undefined),
    result(task, report) {
      if (report === null) {
        onLost();
        return { verdict: { state: "pending", wakeAt: 0 } };
      }
      const json = "json" in report ? report.json : {};
      const result = { ...json, task_id: task.id } as { status?: string };
      const { status = "" } = result;
      if (!["success", "failed"].includes(status)) {
        const wrong = "wrong" in report ? report.wrong : `${status} is no status.`;
        return { verdict: { ends: "failed", outcome: { ...emptyOutcome, reason: wrong } }, wrong };
      }
      if (status === "failed") return { verdict: { state: "pending", wakeAt: 0 } };
      return { verdict: { ends: "completed", outcome: { ...emptyOutcome, result } } };
    },
  };
}

function eventDraft(file: {
  id: string;
  type: string;
  source: string;
  payload?: Record<string, Json> | undefined;
}): DraftOf<EventKind> {
  const { id, type, source, payload = {} } = file;
  const body = { name: id, type, source, repo: null, at: 1, payload, origin: null, hops: 0 };
  return { kind: "event", id, state: "pending", wakeAt: 1, body };
}

/** A task that external workers may have. */
export function taskDraft(id: string): DraftOf<TaskKind> {
  const body = { name: "gen-pr", input: null, at: 1, target: "inbox:me", origin: null };
  return { ...makeTask({ ...body, timeoutMs: 60_000 }), id };
}
