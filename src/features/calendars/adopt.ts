import { type Priority, priorities } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { idFrom } from "../../platform/ids.ts";
import { isoOf } from "../../platform/iso-time.ts";
import { present } from "../../platform/json.ts";
import {
  makeNotification,
  type NotificationKind,
  routeOf,
  writableTypes,
} from "../notifications/index.ts";
import type { EntryContent } from "./content.ts";

interface AdoptOptions {
  readonly calendar: string;
  readonly remoteId: string;
  readonly owner: string;
  readonly home: string | null;
}

/** The id of the notification that somebody else's entry becomes: the same each time, so that it is made once. */
export function adoptedId(calendar: string, remoteId: string): string {
  return idFrom(JSON.stringify(["calendar", calendar, remoteId]));
}

/** The notification that an entry by hand becomes. Throws when it cannot be one. */
export function adopted(
  content: EntryContent,
  { calendar, remoteId, owner, home }: AdoptOptions,
): DraftOf<NotificationKind> {
  const { title, at, fields = {} } = content;
  const route = routeOf({ origin: null, home, owner });
  const text = (name: string): string | undefined => {
    const value = fields[name];
    return typeof value === "string" && value.trim() !== "" ? value : undefined;
  };
  const type = writableTypes.find((each) => each === text("type"));
  const priority: Priority | undefined = priorities.find((each) => each === text("priority"));
  const body = present<NotificationKind["body"]>({
    message: title,
    at,
    atText: text("scheduled_at_text") ?? isoOf(at),
    createdBy: text("created_by"),
    target: route.target,
    targetReason: route.reason,
    origin: null,
    type,
    relatedTaskId: text("related_task_id"),
    relatedQuestionId: text("related_question_id"),
    context: text("context"),
  } as NotificationKind["body"]);
  const draft = makeNotification(body, { priority });
  const key = { name: `calendar:${calendar}:${remoteId}`, asked: remoteId };
  return { ...draft, id: adoptedId(calendar, remoteId), key };
}

/** Why an entry by hand cannot become a notification. */
export function refusalOf(error: unknown): string {
  if (error instanceof DaybookError) return error.message;
  throw error;
}
