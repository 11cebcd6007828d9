import type { EntryContent, EntryLocation, RemoteEntry } from "../../features/calendars/index.ts";
import type { GoogleEvent } from "./google-event.ts";
import { readTimes, timesOf, timeText } from "./google-time.ts";

/** Google's own limit. */
const descriptionCharsMax = 8_192;

/** Our entry as Google takes it. A null removes a field in a patch. */
export function eventBody(id: string, content: EntryContent): Readonly<Record<string, unknown>> {
  const { title, description, recurrence, isDone = false } = content;
  return {
    id,
    status: "confirmed",
    summary: plain(title),
    description: shortened(plain(description)),
    ...timesOf(content),
    recurrence: recurrence === undefined ? null : [`RRULE:${recurrence}`],
    // A reminder takes no time: whoever looks for a free hour may have this one.
    transparency: "transparent",
    reminders: {
      useDefault: false,
      overrides: isDone ? [] : [{ method: "popup", minutes: 0 }],
    },
    extendedProperties: {
      private: { daybook: id, daybookTime: timeText(content), daybookDone: isDone ? "true" : null },
    },
  };
}

/** Without characters that no calendar shows, and some refuse. */
function plain(text: string): string {
  return text.toWellFormed().replaceAll(/(?![\n\t])\p{Cc}/gu, "");
}

function shortened(text: string): string {
  if (text.length <= descriptionCharsMax) return text;
  return `${text.slice(0, descriptionCharsMax - 1).replace(/\p{Cs}$/u, "")}…`;
}

/** The same for a new event, in which nothing can be removed. */
export function wholeBody(id: string, content: EntryContent): Readonly<Record<string, unknown>> {
  return withoutNull(eventBody(id, content));
}

function withoutNull(body: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]: [string, unknown]) => {
      if (value === null) return [];
      const isObject = typeof value === "object" && !Array.isArray(value);
      return [[name, isObject ? withoutNull(value) : value]];
    }),
  );
}

/** The form of our ids. Google's own are shorter. */
const idForm = /^db[0-9a-v]{40}$/;

/**
 * The id that we gave an event; null: it is somebody else's. A deleted one has lost our mark, and a copy that somebody
 * made of ours has it with another id.
 */
export function ownId({ id, extendedProperties }: GoogleEvent): string | null {
  const { daybook: marked = id } = extendedProperties?.private ?? {};
  return idForm.test(id) && marked === id ? id : null;
}

/** Whether it is an occurrence of a recurring entry of ours, changed by itself. */
export function isOwnOccurrence({ recurringEventId }: GoogleEvent): boolean {
  return recurringEventId !== undefined && idForm.test(recurringEventId);
}

export function locationOf({ id, etag, htmlLink }: GoogleEvent): EntryLocation {
  return { remoteId: id, etag, ...(htmlLink && { url: htmlLink }) };
}

/** An event as an entry; undefined: it has no times that can be read. */
export function entryOf(event: GoogleEvent, zone: string): RemoteEntry | undefined {
  const entry = { id: ownId(event), location: locationOf(event) };
  if (event.status === "cancelled") return { ...entry, content: null };
  const content = contentOf(event, zone);
  return content && { ...entry, content };
}

/** `zone`: that of the calendar, which holds where the event names none. */
export function contentOf(event: GoogleEvent, zone: string): EntryContent | undefined {
  const { summary, description, recurrence, extendedProperties } = event;
  const times = readTimes(event, zone);
  const rule = recurrence?.find((line) => line.startsWith("RRULE:"))?.slice("RRULE:".length);
  const isDone = extendedProperties?.private?.["daybookDone"] === "true";
  return (
    times && {
      title: summary,
      description,
      ...times,
      ...(rule !== undefined && { recurrence: rule }),
      ...(isDone && { isDone: true }),
    }
  );
}
