import type { AlwaysTexts } from "./always-shape.ts";

const busy = (operation: string): string => (operation === "NONE" ? "" : ` (${operation})`);

const why = {
  asked: "as it was asked",
  idle: "chosen because nobody used it",
  slot: "chosen because a schedule is about to run in it",
} as const;

export const alwaysEnglish: AlwaysTexts = {
  kept: ({ name, image, desired }) =>
    `The workspace '${name}' is kept ${desired}, from ${image}. See how far it is: daybook workspace ${name}`,
  keptBefore: ({ name, display, operation }) =>
    `The workspace '${name}' is kept already: ${display}${busy(operation)}`,
  none: () => "No workspaces are kept. Begin one: daybook keep NAME --image IMAGE",
  line: ({ name, display, operation, image, used, id }) =>
    `${id}  ${`${display}${busy(operation)}`.padEnd(8)}  ${name}  ${image}  used ${used}`,
  headline: ({ name, id, display, operation }) =>
    `workspace '${name}' ${id}  ${display}${busy(operation)}`,
  image: ({ image, memoryMb, cpus }) => `from ${image}, with ${memoryMb} MB and ${cpus} CPUs`,
  wanted: ({ desired, because }) => `it should be ${desired}, ${why[because]}`,
  unusedSince: (when) => `used last ${when}`,
  sleeps: ({ sleep, archive, wake }) =>
    `unused it sleeps after ${sleep} and is archived after ${archive}; it wakes ${wake} before a run`,
  archiveAt: (key) => `its archive is ${key}`,
  unseen: (reason) => `it cannot be seen: ${reason}`,
  fault: ({ reason, message, count }) => `${reason} (${count} in a row): ${message}`,
  recoverAdvice: (name) =>
    `Nothing is done with it in ERROR. When that is mended: daybook recover ${name}`,
  changed: (name) => `The workspace '${name}' is changed.`,
  sameAsBefore: (name) => `The workspace '${name}' was so before.`,
  touched: (name) => `The workspace '${name}' counts as used now.`,
  goesTo: ({ name, desired }) =>
    desired === "PENDING"
      ? `The workspace '${name}' goes into an archive.`
      : desired === "STANDBY"
        ? `The workspace '${name}' goes to sleep; its files stay.`
        : `The workspace '${name}' is brought up.`,
  recovered: ({ name, display }) => `The workspace '${name}' is tried again, from ${display}.`,
  deleted: (name) =>
    `The workspace '${name}' is being deleted: its machine, its files, and after a while its archives.`,

  plan: ({ do: next, display, desired }) =>
    next === null
      ? `nothing is to be done: it is ${display}, as it should be`
      : `next: ${next}, for it is ${display} and should be ${desired}`,
  planEnds: () => "it was deleted, and nothing of it is left: it ends",
  planBlames: ({ expected, actual }) => `there is ${actual} where there should be ${expected}`,
  planError: () => "nothing is done: it is in ERROR",
  seen: ({ machine, volume }) =>
    `seen: ${machine === null ? "no machine" : `a machine that is ${machine}`}, ${volume ? "a volume" : "no volume"}`,
  fromTheBook: () => "as the book has it: nobody looked just now",
  nextLook: (when) => `looked at next ${when}`,
  nextSlot: (when) => `a schedule runs in it ${when}`,

  collected: ({ count, bytes, isApplied }) =>
    count === 0
      ? "No archive is there that nobody has needed for two hours."
      : `${count} archives (${bytes} bytes) ${isApplied ? "are removed" : "would be removed: daybook workspaces gc --apply"}.`,
  orphan: ({ archive, since }) => `${archive}  needed by nobody since ${since}`,
  braked: ({ count, isForeign }) =>
    isForeign
      ? "These archives are another book's, so none is removed: give each book a place of its own, or say --confirm if they are this one's."
      : `None is removed: nobody needs ${count} archives, which is too many at once to be right. Look at the list, then: daybook workspaces gc --apply --confirm`,
};
