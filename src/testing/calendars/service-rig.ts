import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { EntryContent } from "../../features/calendars/content.ts";
import { entryId } from "../../features/calendars/kind.ts";
import type {
  CalendarService,
  EntryLocation,
  RemoteChanges,
  RemoteEntry,
} from "../../features/calendars/service.ts";
import { DaybookError, type ErrorCode } from "../../platform/errors.ts";
import type { RigCalendar } from "./rig.ts";

/** A calendar for one case, empty when it begins, and what can be done to its service. */
export interface ServiceRig extends RigCalendar {
  /** The time of the service; busy times are listed after it. */
  now(): number;
  /** What a read gives back of a content. Default: all of it. */
  readonly keeps?: readonly (keyof EntryContent)[];
  /** Adds what this service needs to the content of a case, such as the fields of a record. */
  complete?(content: EntryContent): EntryContent;
  /** The longest description that the service keeps. Default: 50,000 characters. */
  readonly textCharsMax?: number;
  /** Texts that the service itself changes. */
  garbles?: RegExp;
  /** Adds an entry of somebody else that does not mark its time as busy. Absent: there are no busy times here. */
  addFree?(content: EntryContent): Promise<string>;
  /** A token that the service does not know. Absent: `forgetTokens` makes one. */
  readonly forgottenToken?: string;
  /** The next write is made, and its answer is lost. Absent: the rig cannot do this. */
  loseAnswer?(): void;
  /** The same calendar with a login that is rejected. */
  rejected?(): CalendarService;
  /** The same calendar on a server that cannot be reached. */
  unreachable?(): CalendarService;
  /** Deletes the calendar itself. */
  destroy?(): Promise<void>;
}

export type MakeServiceRig = (t: TestContext) => ServiceRig | Promise<ServiceRig>;

/** A rig with the services that a case talks to: two nodes with the same calendar. */
export interface Bench extends ServiceRig {
  readonly service: CalendarService;
  readonly other: CalendarService;
}

export async function benchOf(t: TestContext, make: MakeServiceRig): Promise<Bench> {
  const rig = await make(t);
  const open = (): CalendarService => rig.connector.open(rig.account);
  return { ...rig, service: open(), other: open() };
}

export const signal: AbortSignal = new AbortController().signal;
export const hourMs = 60 * 60_000;

/** An id as the reconciler chooses them. */
export function idOf(name: string): string {
  return entryId("the calendar of the suite", name);
}

/** Tomorrow, at a whole minute. */
export function tomorrow(rig: Bench): number {
  return Math.ceil(rig.now() / hourMs) * hourMs + 24 * hourMs;
}

export function contentOf(rig: Bench, given: Partial<EntryContent> = {}): EntryContent {
  const content: EntryContent = {
    title: "Take the pills",
    description: "With water.\nAfter breakfast.",
    at: tomorrow(rig),
    zone: "Asia/Seoul",
    minutes: 30,
    ...given,
  };
  return rig.complete?.(content) ?? content;
}

/** Writes an entry that must be written. */
export async function written(
  service: CalendarService,
  id: string,
  content: EntryContent,
  known: EntryLocation | null = null,
): Promise<EntryLocation> {
  const put = await service.put({ id, content, known }, signal);
  assert.equal(put.result, "written");
  return put.location;
}

/** The entry that a put or a removal found changed. */
export function changedEntry(
  result: { readonly result: string } | { readonly result: string; readonly entry: RemoteEntry },
): RemoteEntry {
  assert.equal(result.result, "changed");
  assert.ok("entry" in result);
  return result.entry;
}

/** Every entry, by a complete listing. */
export async function everything(service: CalendarService): Promise<RemoteChanges> {
  const changes = await service.changes(null, signal);
  assert.equal(changes.isComplete, true);
  assert.ok(changes.entries.every(({ content }) => content !== null));
  return changes;
}

/** The changed entries since a token, by their ids; a foreign one by its remote id. */
export async function since(
  service: CalendarService,
  token: string,
): Promise<{ token: string; entries: ReadonlyMap<string, RemoteEntry> }> {
  const { token: next, entries } = await service.changes(token, signal);
  return { token: next, entries: byName(entries) };
}

export function byName(entries: readonly RemoteEntry[]): ReadonlyMap<string, RemoteEntry> {
  const named = entries.map((entry) => [entry.id ?? entry.location.remoteId, entry] as const);
  assert.equal(new Set(named.map(([name]) => name)).size, named.length, "an entry is listed twice");
  return new Map(named);
}

/** Compares what the service keeps. */
export function assertContent(
  rig: Bench,
  actual: EntryContent | null | undefined,
  expected: EntryContent,
): void {
  assert.ok(actual, "the entry has no content");
  const kept = (content: EntryContent): Partial<EntryContent> =>
    Object.fromEntries(
      Object.entries(content).filter(
        ([name]) => rig.keeps?.includes(name as keyof EntryContent) ?? true,
      ),
    );
  assert.deepEqual(kept(actual), kept(expected));
}

export async function fails(doing: Promise<unknown>, code: ErrorCode): Promise<DaybookError> {
  const error: unknown = await doing.then(
    () => "it did not fail",
    (error: unknown) => error,
  );
  assert.ok(error instanceof DaybookError, String(error));
  assert.equal(error.code, code, error.message);
  return error;
}

/** What people see. */
export async function seen(
  rig: Bench,
): Promise<readonly { title: string; at: number; minutes: number }[]> {
  const contents = (await rig.list()).map(({ content }) => content);
  return contents.flatMap((each) => {
    assert.ok(each, "an entry cannot be read");
    return { title: each.title, at: each.at, minutes: each.minutes };
  });
}

export async function titles(rig: Bench): Promise<readonly string[]> {
  return (await seen(rig)).map(({ title }) => title).toSorted();
}
