export interface Named {
  readonly name: string;
}

export interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
  readonly failed: number;
}

export interface Planned {
  readonly id: string;
  readonly changes: readonly {
    readonly do: string;
    readonly why: string;
    readonly title: string | null;
    readonly record: string | null;
  }[];
  readonly unchanged: number;
  readonly brake: { readonly removals: number; readonly entries: number } | null;
}

export interface Connected {
  readonly id: string;
  readonly place: string | null;
  readonly renewed: boolean;
  readonly granted: readonly string[];
}

/** What Google's names of scopes mean. */
const grants: Readonly<Record<string, string>> = {
  "https://www.googleapis.com/auth/calendar.events": "see and change events",
  "https://www.googleapis.com/auth/calendar.calendarlist.readonly": "see which calendars you have",
};

export const en = {
  none: "No calendar shows the book.\nMake a feed for your calendar program: daybook calendar create ics",
  created: ({
    id,
    name,
    url,
    kind,
  }: {
    id: string;
    name: string;
    url: string | null;
    kind: string;
  }) =>
    url === null
      ? `The ${kind} calendar “${name}” is being filled.\n${id}`
      : `Subscribe to this address of “${name}” (${kind}) in your calendar program; it is shown only now:\n${url}\n${id}`,
  connectPage: ({ url }: { url: string }) =>
    `Open this page in a browser on this machine, and allow the access:\n${url}`,
  connected: ({ place, renewed, granted, id }: Connected) =>
    [
      renewed
        ? `The calendar ${place} has a new login.`
        : `The calendar ${place} is connected, and is being filled.`,
      `You allowed: ${granted.map((scope) => grants[scope] ?? scope).join("; ")}.`,
      id,
    ].join("\n"),
  shows: ({ shows, edits, busy }: { shows: string; edits: boolean; busy: boolean }) =>
    [
      `It shows ${shows}.`,
      ...(edits ? ["Changes in it change the book."] : []),
      ...(busy ? ["Messages that are not urgent wait until its meetings end."] : []),
    ].join(" "),
  synced: ({ created, updated, deleted, unchanged, failed }: Counts) =>
    `${created} created, ${updated} updated, ${deleted} deleted, ${unchanged} unchanged, ${failed} failed`,
  confirmed: ({ name, removals }: { name: string; removals: number }) =>
    `${removals} removals are confirmed; the calendar “${name}” does them now.`,
  deleted: ({ name, isLeaving }: { name: string; isLeaving: boolean }) =>
    isLeaving
      ? `The entries are being removed from the calendar “${name}”; then it is deleted.`
      : `The calendar “${name}” is deleted.`,
  plan: ({ changes, unchanged, brake, id }: Planned) =>
    [
      ...changes.map(
        ({ do: what, why, title, record }) => `${what} (${why})  ${title ?? ""}  ${record ?? ""}`,
      ),
      `${changes.length} to change, ${unchanged} unchanged.`,
      ...(brake === null
        ? []
        : [`The brake is on: to do ${brake.removals} removals, daybook calendar confirm ${id}`]),
    ].join("\n"),
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
