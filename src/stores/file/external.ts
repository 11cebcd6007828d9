import type { TaskKind } from "../../features/tasks/kind.ts";
import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { Draft, Follows } from "../../kernel/unit.ts";
import type { Verdict } from "../../kernel/verdict.ts";

/** What other programs may drop into a `pending` folder. */
export type DropKind = "event" | "task" | "notification";

/** A dropped file's content. It is an object with a safe `id`; nothing else is known of it. */
export type Dropped = Readonly<Record<string, unknown>> & { readonly id: string };

/** Whom a file may be a claim for: its holder is `file:{name}`. */
export interface Worker {
  readonly name: string;
  /** So long it has the task, from the claim or from the newest touch of its heartbeat. */
  readonly leaseMs: number;
}

/**
 * What those above the store know of files that other programs write. Each function makes records as
 * the operations do; a `DaybookError` that it throws is the reason that stands beside the file in
 * quarantine, unless it says that something is unavailable: then the file is looked at again.
 */
export interface Outside {
  /** Whose the dropped files are, and who dropped them. */
  readonly who: { readonly owner: string; readonly by: string };
  /** The record that a dropped file asks for. */
  drop(kind: DropKind, json: Dropped): Given<{ draft: Draft; follows?: Follows }>;
  /** Who works on the task outside; undefined: it is nobody's but ours, and its file is put back. */
  worker(task: LedgerRecord<TaskKind>): Worker | undefined;
  /** Where a result file leaves the task. Null: nobody wrote one, and the lease is over. */
  result(task: Claimed<TaskKind>, json: unknown): Given<Verdict<TaskKind>>;
  /** Hears of what went wrong without anybody to tell it to. */
  failed?(error: unknown): void;
}

type Given<T> = T | Promise<T>;
