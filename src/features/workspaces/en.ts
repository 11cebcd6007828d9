import type { ErrorReason } from "./error-info.ts";
import type { WorkspaceOperation } from "./kind.ts";

/** The shown state of a workspace, and its current operation. */
export interface Status {
  readonly display: string;
  /** NONE: there is none. */
  readonly operation: string;
}

export interface Unfinished {
  readonly part: string;
  readonly size: number;
  readonly at: string;
  /** Nothing was written to it for long. */
  readonly isOld: boolean;
}

export interface Failed {
  readonly name: string;
  readonly owner: string;
  readonly operation: WorkspaceOperation | null;
  readonly reason: ErrorReason;
  readonly message: string;
}

const during = (operation: string): string => (operation === "NONE" ? "" : ` (${operation})`);

const why = {
  asked: "as requested",
  idle: "chosen because it is idle",
  slot: "chosen because a schedule is about to run in it",
} as const;

export const en = {
  kept: ({ name, image, desired }: { name: string; image: string; desired: string }) =>
    `The workspace '${name}' is kept ${desired}, from ${image}. See its progress: daybook workspace show ${name}`,
  keptBefore: ({ name, display, operation }: Status & { name: string }) =>
    `The workspace '${name}' exists already: ${display}${during(operation)}`,
  none: () => "There are no workspaces.\nCreate one: daybook workspace create NAME --image IMAGE",
  status: ({ display, operation }: Status) => `${display}${during(operation)}`,
  workspaceIs: ({ name, id, display, operation }: Status & { name: string; id: string }) =>
    `workspace '${name}' ${id}  ${display}${during(operation)}`,
  image: ({ image, memoryMb, cpus }: { image: string; memoryMb: number; cpus: number }) =>
    `${image}, with ${memoryMb} MB and ${cpus} CPU${cpus === 1 ? "" : "s"}`,
  /** The requested state, or the one that was chosen since, and why. */
  desired: ({ desired, because }: { desired: string; because: "asked" | "idle" | "slot" }) =>
    `it should be ${desired}, ${why[because]}`,
  wanted: ({ desired, because }: { desired: string; because: keyof typeof why }) =>
    `${desired}, ${why[because]}`,
  unusedSince: (when: string) => `last used ${when}`,
  sleeps: ({ sleep, archive, wake }: { sleep: string; archive: string; wake: string }) =>
    `idle, it sleeps after ${sleep} and is archived after ${archive}; it wakes ${wake} before a run`,
  archiveAt: (key: string) => `its archive is ${key}`,
  unreachable: (reason: string) => `it cannot be observed: ${reason}`,
  error: ({ reason, message, count }: { reason: string; message: string; count: number }) =>
    `${reason} (${count} in a row): ${message}`,
  recoverAdvice: (name: string) =>
    `In ERROR nothing is done with it. Once the cause is fixed: daybook workspace recover ${name}`,
  changed: (name: string) => `The workspace '${name}' is changed.`,
  sameAsBefore: (name: string) => `The workspace '${name}' is unchanged.`,
  touched: (name: string) => `The workspace '${name}' is marked as used now.`,
  goesTo: ({ name, desired }: { name: string; desired: string }): string =>
    desired === "PENDING"
      ? `The workspace '${name}' will be archived.`
      : desired === "STANDBY"
        ? `The workspace '${name}' will sleep; its files stay.`
        : `The workspace '${name}' will be started.`,
  recovered: ({ name, display }: { name: string; display: string }) =>
    `The workspace '${name}' is tried again, from ${display}.`,
  deleted: (name: string) =>
    `The workspace '${name}' is being deleted: its machine and its files now, its archives later.`,
  /** After a delete. */
  runsAgain: (when: string) =>
    `A schedule runs in a workspace of this name next on ${when}, and finds no files then: pause or delete it if it should not run.`,

  /** The next operation. */
  plan: ({ do: next, display, desired }: { do: string | null; display: string; desired: string }) =>
    next === null
      ? `nothing to do: it is ${display}, as it should be`
      : `next: ${next}, because it is ${display} and should be ${desired}`,
  planEnds: () => "it was deleted, and nothing of it is left: it ends",
  planError: () => "nothing to do: it is in ERROR",
  seen: ({ machine, volume }: { machine: string | null; volume: boolean }) =>
    `observed: ${machine === null ? "no machine" : `a machine that is ${machine}`}, ${volume ? "a volume" : "no volume"}`,
  asRecorded: () => "as recorded: it could not be observed now",
  nextObservation: (when: string) => `observed next ${when}`,
  nextSlot: (when: string) => `a schedule runs in it ${when}`,

  collected: ({ count, bytes, isApplied }: { count: number; bytes: number; isApplied: boolean }) =>
    count === 0
      ? "No archive can be removed: each one is needed, or was within the last two hours."
      : `${count} archives (${bytes} bytes) ${isApplied ? "are removed" : "would be removed: daybook workspace gc --apply"}.`,
  orphan: ({ archive, since }: { archive: string; since: string }) =>
    `${archive}  not needed since ${since}`,
  unfinished: ({ part, size, at, isOld }: Unfinished) =>
    `${part}  unfinished, ${size} bytes, last written ${at}${isOld ? "; unneeded" : ""}`,
  braked: ({ count, isForeign }: { count: number; isForeign: boolean }) =>
    isForeign
      ? "These archives belong to another book, so none is removed: give each book its own location, or add --confirm if they belong to this one."
      : `None is removed: ${count} archives are not needed, which is unusually many. Check the list, then: daybook workspace gc --apply --confirm`,

  /** The notice of an ERROR to its owner. */
  failed: (about: Failed) =>
    `⛔ The workspace '${about.name}' is in ERROR${whileIn(about)} (${about.reason}): ${about.message} Once the cause is fixed: daybook workspace recover ${typed(about.name)}`,
  /** The same to the administrators, with its owner. */
  failedOf: (about: Failed) =>
    `⛔ The workspace '${about.name}' of ${about.owner} is in ERROR${whileIn(about)} (${about.reason}): ${about.message}`,
};

/** A name as it is typed in a shell. */
export function typed(name: string): string {
  return /\s/.test(name) ? `"${name}"` : name;
}

function whileIn({ operation }: Failed): string {
  return operation === null ? "" : ` while ${operation}`;
}
