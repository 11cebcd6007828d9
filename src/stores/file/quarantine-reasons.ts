/** What stands beside a file in quarantine. */
export const dropReasons = {
  folder: "Only pending/ takes files: write it there under another name, and rename it.",
  mark: "It has the mark of a record that is not in this ledger: remove its daybook key, then drop it in pending/.",
  copy: "It is a copy of a record that is elsewhere in this ledger.",
  second: "Another file with this id was there first.",
  taken: (id: string) =>
    `${id} is there already and says something else: give what is new an id of its own.`,
  noTask: "There is no task of this name.",
  ended: (state: string) => `The task had ended ${state} before.`,
  worked: (holder: string) => `${holder} is at work on the task: only its result is taken.`,
  waits: "The task is not to be worked on now: wait until it is due, and move its file first.",
} as const;
