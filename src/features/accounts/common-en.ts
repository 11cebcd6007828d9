export interface Headline {
  kind: string;
  id: string;
  state: string;
  when: string | null;
  target: string | null;
}

export const commonEn = {
  state: (state: string) => state,
  /** A stored reason. Text of a program or a person is unchanged. */
  reason: (reason: string) => reason,

  planned: ({ when, target }: { when: string; target: string }) => `${when} → ${target}`,
  pastSoAtOnce: () => "That time has passed, so it is sent at once.",
  more: (cursor: string) => `more: --after ${cursor}`,
  /** For an answer that leaves out records of the book. */
  notAll: () => "There is more in the book than is shown here.",
  headline: ({ kind, id, state, when, target }: Headline) =>
    `${kind} ${id}  ${state}${when === null ? "" : ` ${when}`}${target === null ? "" : ` to ${target}`}`,
  edited: ({ by, when }: { by: string; when: string }) => `edited by ${by} on ${when}`,
  doneBy: ({ by, when }: { by: string; when: string }) => `done by ${by} on ${when}`,
  cancelledBy: ({ by, when }: { by: string; when: string }) => `cancelled by ${by} on ${when}`,
  comes: ({ when, far, isParked }: { when: string; far: string; isParked: boolean }) =>
    `due ${when} (${far})${isParked ? ", behind others for the same target" : ""}`,
};
