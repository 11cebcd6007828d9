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
/** Something that happened elsewhere, which a handler may have work to do for. */
export const eventKind = defineKind({
  name: "event",
  body: z.strictObject({
    /** Its source's own name for it, `evt-github-1-2026…`: the same name is the same event. */
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
    /** How many events led to it: one in a loop is stopped. */
    hops: count,
  }),
  outcome: z.strictObject({
    handler: z.string().nullable(),
    /** The task that handles it. */
    task: z.string().nullable(),
    /** Why nothing is done for it, or not yet, or why its task failed. */
    reason: z.string().nullable(),
  }),
  states: {
    pending: ["dispatched", "completed", "failed"],
    dispatched: ["pending", "completed", "failed"],
  },
});
export interface EventKind extends KindOf<typeof eventKind> {}

/** Whose book it is written in, and when. */
export interface EventFacts {
  readonly owner: string;
  /** The installation's own owner, whose events are called as their sources call them. */
  readonly home: string;
  readonly now: number;
  /** As the type is, when absent. */
  readonly priority?: Priority;
}

/** An event is known as the same this long, even when its record is forgotten. */
export const knownMs = 30 * 86_400_000;
export const payloadBytesMax = 128 * 1024;
/** An event that so many others led to goes round in circles. */
export const hopsMax = 8;

/** Nothing that makes a path, an argument or another line of it. */
const nameText = String.raw`[A-Za-z0-9](?:[A-Za-z0-9:+@=,_-]|\.(?!\.)){0,198}`;
/** Tasks, messages and questions are called so. */
const notNumbered = String.raw`(?!(?:task|msg|q)-\d{8}-\d+(?:~|$))`;
const nameShape = new RegExp(`^${notNumbered}${nameText}$`);
/** A name, or what `eventId` makes of it. */
export const eventIdShape = new RegExp(`^${notNumbered}${nameText}(?:~[0-9a-f]{8})?$`);
export const sourceShape = /^[a-z][a-z0-9_-]{0,49}$/;
export const repoCharsMax = 200;

/** Every event is made here, whoever tells of it. */
export function makeEvent(body: EventKind["body"], making: EventFacts): DraftOf<EventKind> {
  checkEvent(body);
  const { name, type, at } = body;
  const { owner, home, now, priority = priorityOf(type) } = making;
  return {
    kind: "event",
    id: eventId(owner, name, home),
    body,
    state: "pending",
    wakeAt: now,
    priority,
    // The same name is the same event, whatever else is said of it the second time.
    key: { name: `event:${name}`, asked: { name }, until: Math.max(at, now) + knownMs },
    parent: null,
  };
}

/** Nobody finds out by a name that is taken what another owner has heard. */
export function eventId(owner: string, name: string, home: string): string {
  if (owner === home) return name;
  return `${name}~${createHash("sha256").update(owner).digest("hex").slice(0, 8)}`;
}

/** What comes first unless it is said; types that nobody listed are normal. */
export function priorityOf(type: string): Priority {
  if (Object.hasOwn(known, type)) return known[type] ?? "normal";
  return type.startsWith("github.notification.") ? "low" : "normal";
}

const known: Readonly<Record<string, Priority>> = {
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
  if (!nameShape.test(name)) throw wrong(name, "name of an event", "evt-github-123");
  if (!isEventType(type)) throw wrong(type, "type of an event", "github.pr.review_requested");
  if (!sourceShape.test(source)) throw wrong(source, "source", "github");
  if (repo !== null && (repo === "" || repo.length > repoCharsMax)) {
    throw wrong(repo, "repository", "owner/name");
  }
  if (origin !== null) parseTarget(origin);
  if (!Number.isSafeInteger(at) || at < 0 || !Number.isSafeInteger(hops) || hops < 0) {
    throw new DaybookError("invalid", `"at" and "hops" must be whole numbers from 0.`);
  }
  checkPayload(payload);
}

function checkPayload(payload: unknown): void {
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) {
    throw new DaybookError("invalid", "The payload must be a JSON object: put it in { }.");
  }
  if (Buffer.byteLength(JSON.stringify(payload)) > payloadBytesMax) {
    throw new DaybookError(
      "too_large",
      `The payload is over ${payloadBytesMax} bytes: keep it elsewhere and give a link.`,
    );
  }
}

function wrong(text: string, what: string, example: string): DaybookError {
  return new DaybookError("invalid", `${quote(text)} is no ${what}: write it like "${example}".`);
}
