export interface Headline {
  kind: string;
  id: string;
  state: string;
  when: string | null;
  target: string | null;
}

export const commonEn = {
  state: (state: string) => state,
  /** Why something is so, as the book has it; what a program or a person said stays as it is. */
  reason: (reason: string) => reason,

  planned: ({ when, target }: { when: string; target: string }) => `${when} → ${target}`,
  pastSoAtOnce: () => "That time is past, so it is said at once.",
  more: (cursor: string) => `more: --after ${cursor}`,
  /** Further ones are in the book, and were not looked at or not shown. */
  notAll: () => "There is more in the book than is shown here.",
  headline: ({ kind, id, state, when, target }: Headline) =>
    `${kind} ${id}  ${state}${when === null ? "" : ` ${when}`}${target === null ? "" : ` to ${target}`}`,
  edited: ({ by, when }: { by: string; when: string }) => `edited by ${by} on ${when}`,
  cancelledBy: ({ by, when }: { by: string; when: string }) => `cancelled by ${by} on ${when}`,
  comes: ({ when, far, isParked }: { when: string; far: string; isParked: boolean }) =>
    `due ${when} (${far})${isParked ? ", behind others to the same place" : ""}`,
};
