import type { Claimed } from "../../kernel/record.ts";
import type { Consequences } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import type { NoticeReader } from "./failure-notice.ts";
import type { NotificationKind } from "./kind.ts";

type Notification = Claimed<NotificationKind>;

/** What a feature above adds to the end of a notification that it sent. All of it is written in the one settle. */
export interface DeliveryHook<Read = unknown> {
  applies(record: Notification): boolean;
  /** Reads the facts for `finish`. Called again, without another send, when a consequence was refused. */
  read(record: Notification): Promise<Read>;
  /** The consequences of its end. Pure. */
  finish(end: DeliveryEnd<Read>): Consequences;
}

export interface DeliveryEnd<Read> extends Facts {
  readonly record: Notification;
  readonly state: Extract<Verdict<NotificationKind>, { ends: unknown }>["ends"];
  /** Why it was not delivered. */
  readonly reason: string | null;
  readonly reader: NoticeReader;
  readonly read: Read;
}

/** The facts that each hook read. */
export type DeliveryReads = ReadonlyMap<DeliveryHook, unknown>;

/** A hook in a list with hooks of other types: each receives only the facts that it read itself. */
export function deliveryHook<Read>(hook: DeliveryHook<Read>): DeliveryHook {
  return hook;
}

/** Read before the send: a store that does not answer then costs an attempt and never a second message. */
export async function readHooks(
  record: Notification,
  hooks: readonly DeliveryHook[],
): Promise<DeliveryReads> {
  const reads = new Map<DeliveryHook, unknown>();
  for (const hook of hooks) if (hook.applies(record)) reads.set(hook, await hook.read(record));
  return reads;
}

/** The verdict with the consequences of the hooks, if the notification ends. */
export function finishHooks(
  verdict: Verdict<NotificationKind>,
  reads: DeliveryReads,
  end: Omit<DeliveryEnd<unknown>, "state" | "reason" | "read">,
): Verdict<NotificationKind> {
  if (!("ends" in verdict)) return verdict;
  const about = { ...end, state: verdict.ends, reason: verdict.outcome?.reason ?? null };
  const { append = [], edit = [], ...others } = verdict.consequences ?? {};
  const more = [...reads].map(([hook, read]) => hook.finish({ ...about, read }));
  const consequences: Consequences = {
    ...others,
    append: [...append, ...more.flatMap((each) => each.append ?? [])],
    edit: [...edit, ...more.flatMap((each) => each.edit ?? [])],
  };
  return more.length === 0 ? verdict : { ...verdict, consequences };
}
