/** What stands beside a file in quarantine. */
export const quarantineReasons = {
  folder: "Only pending/ takes files: write it there under another name, and rename it.",
  foreign:
    "It has the mark of a record that is not in this ledger: remove its daybook key, then drop it in pending/.",
  unread: "Nobody here takes such files.",
  copy: "It is a copy of a record that is elsewhere in this ledger.",
  second: "Another file with this id was there first.",
  stray: "It shows no record of this ledger.",
  taken: (id: string) =>
    `${id} is there already and says something else: give what is new an id of its own.`,
  missing: (kind: string) => `There is no ${kind} of this name.`,
  ended: (kind: string, state: string) => `The ${kind} had ended ${state} before.`,
  held: (kind: string, holder: string) =>
    `${holder} is at work on the ${kind}: only its result is taken.`,
  waits: (kind: string) =>
    `The ${kind} is not to be worked on now: wait until it is due, and move its file first.`,
} as const;
