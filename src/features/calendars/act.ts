import { DaybookError, toErrorData } from "../../platform/errors.ts";
import type { EntryContent } from "./content.ts";
import type { EntryKind } from "./kind.ts";
import type { Step } from "./plan.ts";
import { type Item, nothingKnown } from "./reading.ts";
import type {
  CalendarService,
  EntryLocation,
  PutResult,
  RemoteEntry,
  RemoveResult,
} from "./service.ts";

/** What was done about one entry, and what is to be written about it. */
export interface Done {
  readonly item: Item;
  readonly step: Step;
  /** The entry's new outcome; null: its record is not known, and nothing is written. */
  readonly outcome: EntryKind["outcome"] | null;
  readonly ends?: "kept" | "removed" | undefined;
  /** It failed; the rest of the pass goes on. */
  readonly failure?: string | undefined;
}

export interface Acted {
  readonly done: readonly Done[];
  /** Why the pass ended early: the whole calendar failed. */
  readonly failure: DaybookError | null;
}

interface ActOptions {
  readonly service: CalendarService;
  /** Decides again what is to be done about an entry that has changed. */
  replan(item: Item): Step;
  readonly now: number;
  readonly atOnce: number;
  readonly signal: AbortSignal;
}

export interface Planned {
  readonly item: Item;
  readonly step: Step;
}

/** Does the steps, a few at once. A failure of the whole calendar ends it; what was done until then is kept. */
export async function actOn(planned: readonly Planned[], options: ActOptions): Promise<Acted> {
  const done: Done[] = [];
  const left = planned.values();
  let failure: DaybookError | null = null;
  const work = async (): Promise<void> => {
    for (const each of left) {
      if (failure !== null || options.signal.aborted) return;
      try {
        done.push(await actOnOne(each, options));
      } catch (error) {
        failure ??= asDaybookError(error);
      }
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, work));
  return { done, failure };
}

/** How often an entry is decided again, because it was changed between the read and the write. */
const roundsMax = 3;

async function actOnOne(planned: Planned, options: ActOptions): Promise<Done> {
  const { service, now, signal } = options;
  let { item, step } = planned;
  for (let round = 1; ; round += 1) {
    try {
      const answer = await perform(item, step, service, signal);
      if (answer.result !== "changed") {
        const location = answer.result === "written" ? answer.location : null;
        return doneOf(item, step, now, location);
      }
      item = { ...item, sight: sightOf(answer.entry) };
      if (round === roundsMax) throw keepsChanging();
      step = options.replan({ ...item, entry: item.entry && { ...item.entry, retryAt: null } });
    } catch (error) {
      if (!isOfEntry(error)) throw error;
      return failedOf(item, step, toErrorData(error).message);
    }
  }
}

async function perform(
  { id }: Item,
  step: Step,
  service: CalendarService,
  signal: AbortSignal,
): Promise<PutResult | RemoveResult> {
  if (step.do === "put") {
    return service.put({ id, content: step.content, known: step.known }, signal);
  }
  if (step.do === "remove") return service.remove({ id, known: step.known }, signal);
  return { result: "removed" }; // only recorded
}

function sightOf(entry: RemoteEntry): Item["sight"] {
  const isDeleted = entry.content === null && entry.problem === undefined;
  return isDeleted ? { seen: "gone", isCertain: true } : { seen: "there", entry };
}

function doneOf(item: Item, step: Step, now: number, location: EntryLocation | null): Done {
  const at = outcomesOf(item, now);
  switch (step.do) {
    case "put": {
      const { conflict, ends, content } = step;
      const outcome = { ...at(location, content), ...(conflict && { conflict }) };
      return { item, step, outcome, ends };
    }
    case "remove": {
      const ends = step.why === "hidden" ? undefined : "removed";
      return { item, step, outcome: item.entry === null ? null : at(null, null), ends };
    }
    case "note":
      return { item, step, outcome: at(step.location, step.content), ends: step.ends };
    case "take over":
      return { item, step, outcome: at(step.location, step.content) };
    case "cancel":
      return { item, step, outcome: at(null, null), ends: "removed" };
    case "doubt":
      return { item, step, outcome: { ...(item.entry ?? nothingKnown), missingSince: now } };
    case "nothing":
    case "wait":
      return { item, step, outcome: null };
  }
}

/** The outcome of an entry that was handled: what is there now. */
function outcomesOf(
  { entry, source }: Item,
  now: number,
): (where: EntryLocation | null, content: EntryContent | null) => EntryKind["outcome"] {
  const { missingSince: _, ...before } = entry ?? nothingKnown;
  const clean = { ...before, syncedAt: now, failures: 0, retryAt: null, error: null };
  const revision = source?.revision ?? before.revision;
  return (where, content) => {
    return { ...clean, revision, location: where === null ? null : stored(where), content };
  };
}

/** Its time of the next try is decided with the verdict. */
function failedOf(item: Item, step: Step, failure: string): Done {
  const before = item.entry ?? nothingKnown;
  const outcome = { ...before, failures: before.failures + 1, error: failure };
  return { item, step, outcome: item.record === "" ? null : outcome, failure };
}

function stored({
  remoteId,
  etag,
  url,
}: EntryLocation): NonNullable<EntryKind["outcome"]["location"]> {
  return url === undefined ? { remoteId, etag } : { remoteId, etag, url };
}

function isOfEntry(error: unknown): boolean {
  return error instanceof DaybookError && error.details["entry"] === true;
}

export function asDaybookError(error: unknown): DaybookError {
  if (error instanceof DaybookError) return error;
  return new DaybookError("unavailable", toErrorData(error).message, { cause: error });
}

function keepsChanging(): DaybookError {
  const sentence = "The entry changes while it is being written: it is tried again later.";
  return new DaybookError("stale", sentence, { details: { entry: true } });
}
