import { createHash } from "node:crypto";
import * as z from "zod";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import type { Priority } from "../../kernel/record.ts";
import { count, moment } from "../../kernel/schemas.ts";
import { parseTarget } from "../../kernel/target.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import { isEventType, payload } from "../tasks/index.ts";

/** Something that happened elsewhere and may be work for a handler. */
export const eventKind = defineKind({
  name: "event",
  body: z.strictObject({
    /** The name that its source gave it, such as `evt-github-1-2026…`: the same name is the same event. */
    name: z.string(),
    /** `github.pr.review_requested`: what handlers subscribe to. */
    type: z.string(),
    source: z.string(),
    repo: z.string().nullable(),
    payload,
    /** When it happened. */
    at: moment,
    /** The chat that it came from, if it came from one. */
    origin: z.string().nullable(),
    /** The number of events that led to it; at `hopsMax` a loop is stopped. */
    hops: count,
  }),
  outcome: z.strictObject({
    handler: z.string().nullable(),
    /** The task that handles it. */
    task: z.string().nullable(),
    /** Why it waits or was not handled, or why its task failed. */
    reason: z.string().nullable(),
  }),
  states: {
    pending: ["dispatched", "completed", "failed"],
    dispatched: ["pending", "completed", "failed"],
  },
});
export interface EventKind extends KindOf<typeof eventKind> {}

export const unhandled: EventKind["outcome"] = { handler: null, task: null, reason: null };

/** The book that an event is written in, and when. */
export interface EventFacts {
  readonly owner: string;
  /** The owner of the installation, whose events have their names as ids. */
  readonly home: string;
  readonly now: number;
  /** Default: the priority of its type. */
  readonly priority?: Priority | undefined;
}

/** An event of the same name is refused this long, also after its record was pruned. */
export const nameKeptMs = 30 * 86_400_000;
export const payloadBytesMax = 128 * 1024;
/** An event that more events than this led to is taken for a loop. */
export const hopsMax = 8;

/** A name is no path, no command-line flag and no second line. */
const nameText = String.raw`[A-Za-z0-9](?:[A-Za-z0-9:+@=,_-]|\.(?!\.)){0,198}`;
/** Ids of tasks, messages and questions have this form. */
const notNumbered = String.raw`(?!(?:task|msg|q)-\d{8}-\d+(?:~|$))`;
const nameShape = new RegExp(`^${notNumbered}${nameText}$`);
/** A name, or the id that `eventId` makes of it. */
export const eventIdShape = new RegExp(`^${notNumbered}${nameText}(?:~[0-9a-f]{8})?$`);
export const sourceShape = /^[a-z][a-z0-9_-]{0,49}$/;
export const repoCharsMax = 200;

/** Makes every event, from sources, webhooks, files and callers. */
export function makeEvent(body: EventKind["body"], facts: EventFacts): DraftOf<EventKind> {
  checkEvent(body);
  const { name, type, at } = body;
  const { owner, home, now, priority = priorityOf(type) } = facts;
  return {
    kind: "event",
    id: eventId(owner, name, home),
    body,
    state: "pending",
    wakeAt: now,
    priority,
    // The same name is the same event, also when the rest of the second body differs.
    key: { name: `event:${name}`, asked: { name }, until: Math.max(at, now) + nameKeptMs },
    parent: null,
  };
}

/** Another owner's id has a hash, so that a taken name does not reveal what events that owner has. */
export function eventId(owner: string, name: string, home: string): string {
  if (owner === home) return name;
  return `${name}~${createHash("sha256").update(owner).digest("hex").slice(0, 8)}`;
}

/** The default priority of a type. */
export function priorityOf(type: string): Priority {
  if (Object.hasOwn(priorities, type)) return priorities[type] ?? "normal";
  return type.startsWith("github.notification.") ? "low" : "normal";
}

const priorities: Readonly<Record<string, Priority>> = {
  "github.pr.comment": "low",
  "github.pr.state_change": "low",
  "github.issue.mentioned": "low",
  "github.issue.comment": "low",
  "github.issue.state_change": "low",
  "jira.ticket.commented": "low",
  "slack.thread.reply": "high",
};

export function checkEvent(body: EventKind["body"]): void {
  const { name, type, source, repo, payload, at, origin, hops } = body;
  if (!nameShape.test(name)) throw invalid(name, "the name of an event", "evt-github-123");
  if (!isEventType(type)) throw invalid(type, "the type of an event", "github.pr.review_requested");
  if (!sourceShape.test(source)) throw invalid(source, "the name of a source", "github");
  if (repo !== null && (repo === "" || repo.length > repoCharsMax)) {
    throw invalid(repo, "a repository", "owner/name");
  }
  if (origin !== null) parseTarget(origin);
  if (!Number.isSafeInteger(at) || at < 0 || !Number.isSafeInteger(hops) || hops < 0) {
    throw new DaybookError("invalid", `"at" and "hops" must be whole numbers, 0 or more.`);
  }
  checkPayload(payload);
}

function checkPayload(payload: unknown): void {
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) {
    throw new DaybookError("invalid", "The payload is not a JSON object: write it in { }.");
  }
  if (Buffer.byteLength(JSON.stringify(payload)) > payloadBytesMax) {
    throw new DaybookError(
      "too_large",
      `The payload is over ${payloadBytesMax} bytes: store it elsewhere and send a link.`,
    );
  }
}

function invalid(text: string, what: string, example: string): DaybookError {
  return new DaybookError("invalid", `${quote(text)} is not ${what}: write it like "${example}".`);
}
