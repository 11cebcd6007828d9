import { type Priority, priorities } from "../../kernel/record.ts";
import { canonical, present } from "../../platform/json.ts";
import type { EntryContent } from "./content.ts";

/** What a person changed in an entry, as far as it can change the record. */
export interface Edited {
  readonly title?: string;
  readonly at?: number;
  readonly priority?: Priority;
  readonly context?: string;
  /** It was marked as cancelled or done. */
  readonly isEnded?: true;
}

export function isSame(one: EntryContent, other: EntryContent): boolean {
  return canonical(one) === canonical(other);
}

/** Undefined: nothing that can change the record was changed. */
export function editedIn(base: EntryContent, seen: EntryContent): Edited | undefined {
  const title = seen.title.trim();
  const edited = present<Edited>({
    title: title === "" || title === base.title.trim() ? undefined : title,
    at: seen.at === base.at && seen.allDay === base.allDay ? undefined : seen.at,
    priority: changedField(base, seen, "priority", readPriority),
    context: changedField(base, seen, "context", readText),
    isEnded: seen.isDone === true && base.isDone !== true ? true : undefined,
  } as Edited);
  return Object.keys(edited).length === 0 ? undefined : edited;
}

/** A changed field of a mirror; a service that lists none of it has not changed it. */
function changedField<T>(
  base: EntryContent,
  seen: EntryContent,
  name: string,
  read: (value: unknown) => T | undefined,
): T | undefined {
  const value = seen.fields?.[name];
  if (base.fields === undefined || value === undefined) return undefined;
  return canonical(value) === canonical(base.fields[name]) ? undefined : read(value);
}

function readPriority(value: unknown): Priority | undefined {
  return priorities.find((each) => each === value);
}

function readText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
