export interface Named {
  readonly name: string;
}

export const en = {
  notices: {
    heading: ({ name }: Named) => `Calendar ${name}:`,
    brake: ({ id, removals, entries }: { id: string; removals: number; entries: number }) =>
      `${removals} of ${entries} entries would be removed, or were removed there, although nothing has ended. Nothing of this was done. If it is right: daybook calendar confirm ${id}`,
    conflict: ({ title, seen, isRemoved }: { title: string; seen: string; isRemoved: boolean }) =>
      isRemoved
        ? `“${title}” was removed there after it was changed in the book. It was written again.`
        : `“${title}” was changed there and in the book at the same time. The book's version stands; there it was “${seen}”.`,
    refused: ({ title, reason }: { title: string; reason: string }) =>
      `The change of “${title}” was not taken over: ${reason}`,
    unreachable: ({ id, reason }: { id: string; reason: string }) =>
      `It cannot be used: ${reason} It is tried again; to see how it stands: daybook calendar show ${id}`,
    more: (count: number) => `… and ${count} more.`,
  },
};
export type Texts = typeof en;
