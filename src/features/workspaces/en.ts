import type { FaultReason } from "./fault.ts";
import type { WorkspaceOperation } from "./kind.ts";

/** What a workspace is seen as, and what is done with it. */
export interface Standing {
  readonly display: string;
  /** NONE: nothing. */
  readonly operation: string;
}

export interface Failed {
  readonly name: string;
  readonly owner: string;
  readonly operation: WorkspaceOperation | null;
  readonly reason: FaultReason;
  readonly message: string;
}

const busy = (operation: string): string => (operation === "NONE" ? "" : ` (${operation})`);

const why = {
  asked: "as it was asked",
  idle: "chosen because nobody used it",
  slot: "chosen because a schedule is about to run in it",
} as const;

export const en = {
  kept: ({ name, image, desired }: { name: string; image: string; desired: string }) =>
    `The workspace '${name}' is kept ${desired}, from ${image}. See how far it is: daybook workspace ${name}`,
  keptBefore: ({ name, display, operation }: Standing & { name: string }) =>
    `The workspace '${name}' is kept already: ${display}${busy(operation)}`,
  none: () => "No workspaces are kept. Begin one: daybook keep NAME --image IMAGE",
  line: ({
    name,
    display,
    operation,
    image,
    used,
    id,
  }: Standing & { name: string; image: string; used: string; id: string }) =>
    `${id}  ${`${display}${busy(operation)}`.padEnd(8)}  ${name}  ${image}  used ${used}`,
  workspaceIs: ({ name, id, display, operation }: Standing & { name: string; id: string }) =>
    `workspace '${name}' ${id}  ${display}${busy(operation)}`,
  image: ({ image, memoryMb, cpus }: { image: string; memoryMb: number; cpus: number }) =>
    `from ${image}, with ${memoryMb} MB and ${cpus} CPUs`,
  /** What was asked, or what was chosen since, and why. */
  wanted: ({ desired, because }: { desired: string; because: "asked" | "idle" | "slot" }) =>
    `it should be ${desired}, ${why[because]}`,
  unusedSince: (when: string) => `used last ${when}`,
  sleeps: ({ sleep, archive, wake }: { sleep: string; archive: string; wake: string }) =>
    `unused it sleeps after ${sleep} and is archived after ${archive}; it wakes ${wake} before a run`,
  archiveAt: (key: string) => `its archive is ${key}`,
  /** It cannot be seen: why. */
  unseen: (reason: string) => `it cannot be seen: ${reason}`,
  fault: ({ reason, message, count }: { reason: string; message: string; count: number }) =>
    `${reason} (${count} in a row): ${message}`,
  /** Nothing is done with it until somebody does this. */
  recoverAdvice: (name: string) =>
    `Nothing is done with it in ERROR. When that is mended: daybook recover ${name}`,
  changed: (name: string) => `The workspace '${name}' is changed.`,
  sameAsBefore: (name: string) => `The workspace '${name}' was so before.`,
  touched: (name: string) => `The workspace '${name}' counts as used now.`,
  goesTo: ({ name, desired }: { name: string; desired: string }) =>
    desired === "PENDING"
      ? `The workspace '${name}' goes into an archive.`
      : desired === "STANDBY"
        ? `The workspace '${name}' goes to sleep; its files stay.`
        : `The workspace '${name}' is brought up.`,
  recovered: ({ name, display }: { name: string; display: string }) =>
    `The workspace '${name}' is tried again, from ${display}.`,
  deleted: (name: string) =>
    `The workspace '${name}' is being deleted: its machine, its files, and after a while its archives.`,

  /** What would be done next. */
  plan: ({ do: next, display, desired }: { do: string | null; display: string; desired: string }) =>
    next === null
      ? `nothing is to be done: it is ${display}, as it should be`
      : `next: ${next}, for it is ${display} and should be ${desired}`,
  planEnds: () => "it was deleted, and nothing of it is left: it ends",
  planError: () => "nothing is done: it is in ERROR",
  seen: ({ machine, volume }: { machine: string | null; volume: boolean }) =>
    `seen: ${machine === null ? "no machine" : `a machine that is ${machine}`}, ${volume ? "a volume" : "no volume"}`,
  fromTheBook: () => "as the book has it: nobody looked just now",
  nextLook: (when: string) => `looked at next ${when}`,
  nextSlot: (when: string) => `a schedule runs in it ${when}`,

  collected: ({ count, bytes, isApplied }: { count: number; bytes: number; isApplied: boolean }) =>
    count === 0
      ? "No archive is there that nobody has needed for two hours."
      : `${count} archives (${bytes} bytes) ${isApplied ? "are removed" : "would be removed: daybook workspaces gc --apply"}.`,
  orphan: ({ archive, since }: { archive: string; since: string }) =>
    `${archive}  needed by nobody since ${since}`,
  braked: ({ count, isForeign }: { count: number; isForeign: boolean }) =>
    isForeign
      ? "These archives are another book's, so none is removed: give each book a place of its own, or say --confirm if they are this one's."
      : `None is removed: nobody needs ${count} archives, which is too many at once to be right. Look at the list, then: daybook workspaces gc --apply --confirm`,

  /** To its owner: it is in ERROR. */
  failed: (about: Failed) =>
    `⛔ The workspace '${about.name}' is in ERROR${during(about)} (${about.reason}): ${about.message} When that is mended: daybook recover ${typed(about.name)}`,
  /** To who looks after the machines: whose it is. */
  failedOf: (about: Failed) =>
    `⛔ The workspace '${about.name}' of ${about.owner} is in ERROR${during(about)} (${about.reason}): ${about.message}`,
};

/** As it is typed at a command line. */
export function typed(name: string): string {
  return /\s/.test(name) ? `"${name}"` : name;
}

function during({ operation }: Failed): string {
  return operation === null ? "" : ` while ${operation}`;
}
