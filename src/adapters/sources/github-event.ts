import { z } from "zod";
import { githubName, type SourceEvent } from "../../features/events/index.ts";
import type { Payload } from "../../features/tasks/index.ts";
import { DaybookError } from "../../platform/errors.ts";
import { present } from "../../platform/json.ts";
import { oneLine } from "../../platform/text.ts";
import { instantOf, readEach } from "./answers.ts";

const subjectForm = z.object({
  number: z.int(),
  title: z.string(),
  url: z.string(),
  updated_at: z.iso.datetime().optional(),
  pull_request: z.unknown().optional(),
});

const bodyForm = z.object({
  action: z.string().optional(),
  sender: z.object({ login: z.string() }).optional(),
  repository: z.object({ full_name: z.string() }).optional(),
  pull_request: subjectForm.optional(),
  issue: subjectForm.optional(),
  comment: z.object({ html_url: z.string() }).optional(),
  requested_reviewer: z.object({ login: z.string() }).nullish(),
});
type Body = z.infer<typeof bodyForm>;

const titleCharsMax = 1_000;

/** A webhook of GitHub's as an event, with the types of its notifications; undefined for a ping. */
export function githubHookEvent(
  source: string,
  { what, body, now, digest }: { what: string; body: unknown; now: number; digest: string },
): SourceEvent | undefined {
  if (what === "ping") return undefined;
  const { data } = bodyForm.safeParse(body);
  if (data === undefined) {
    throw new DaybookError("invalid", "This is not a GitHub event: send GitHub's JSON unchanged.");
  }
  const subject = data.pull_request ?? data.issue;
  const { sender, repository } = data;
  return present({
    // From the body: the delivery's id is not signed.
    name: `evt-${source}-${digest}`,
    type: typeOf(data, what),
    repo: repository?.full_name ?? null,
    payload: { reason: data.action ?? what, ...subjectOf(data, subject), ...detailsOf(data) },
    at: instantOf(subject?.updated_at ?? "") ?? now,
    actor: sender?.login,
  });
}

function subjectOf(body: Body, subject: z.infer<typeof subjectForm> | undefined): Payload {
  if (subject === undefined) return noSubject;
  const isPullRequest = isPull(body);
  return {
    subject_title: oneLine(subject.title, titleCharsMax),
    subject_url: subject.url,
    subject_type: isPullRequest ? "PullRequest" : "Issue",
    updated_at: subject.updated_at ?? null,
    pr_number: isPullRequest ? String(subject.number) : null,
  };
}

const noSubject: Payload = {
  subject_title: null,
  subject_url: null,
  subject_type: null,
  updated_at: null,
  pr_number: null,
};

function detailsOf({ requested_reviewer: reviewer, comment }: Body): Payload {
  return present({ requested_reviewer: reviewer?.login, comment_url: comment?.html_url });
}

function isPull({ pull_request: pull, issue }: Body): boolean {
  return pull !== undefined || issue?.pull_request !== undefined;
}

const changes = ["closed", "reopened", "converted_to_draft", "ready_for_review"];

function typeOf(body: Body, what: string): string {
  const { action = "", pull_request: pull, issue, comment } = body;
  const word = wordOf(action, comment !== undefined);
  const isAsked = word === "review_requested";
  if (word !== undefined && isPull(body)) return `github.pr.${word}`;
  if (word !== undefined && !isAsked && issue !== undefined && pull === undefined) {
    return `github.issue.${word}`;
  }
  const plain = what
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .slice(0, 50);
  return `github.notification.${plain === "" ? "other" : plain}`;
}

function wordOf(action: string, isComment: boolean): string | undefined {
  if (isComment) return action === "created" ? "comment" : undefined;
  if (changes.includes(action)) return "state_change";
  return action === "review_requested" || action === "assigned" ? action : undefined;
}

const threadForm = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  reason: z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/),
  updated_at: z.iso.datetime().refine((text) => instantOf(text) !== undefined),
  subject: z.object({
    title: z.string(),
    type: z.string(),
    url: z.string().nullish(),
  }),
  repository: z.object({ full_name: z.string() }),
});
type Thread = z.infer<typeof threadForm>;

/** A page of notifications, and why some could not be read; undefined when it is none. */
export function readThreads(source: string, page: unknown) {
  if (!Array.isArray(page)) return undefined;
  const { read, reasons } = readEach(threadForm, page, "a notification");
  return { events: read.map((each) => eventOf(source, each)), reasons };
}

function eventOf(source: string, thread: Thread): SourceEvent {
  const { reason, subject, updated_at } = thread;
  const url = subject.url ?? null;
  const isPullRequest = subject.type === "PullRequest";
  return {
    name: githubName(source, thread.id, updated_at),
    type: githubType(subject.type, reason),
    repo: thread.repository.full_name,
    payload: {
      reason,
      subject_title: oneLine(subject.title, titleCharsMax),
      subject_url: url,
      subject_type: subject.type,
      updated_at,
      pr_number: isPullRequest ? (/\d+$/.exec(url ?? "")?.[0] ?? null) : null,
    },
    at: instantOf(updated_at) ?? 0,
  };
}

const eventWords: Readonly<Record<string, string>> = {
  review_requested: "review_requested",
  mention: "mentioned",
  team_mention: "mentioned",
  assign: "assigned",
  comment: "comment",
  state_change: "state_change",
};

/** `github.pr.review_requested`; other reasons keep GitHub's word. */
function githubType(subject: string, reason: string): string {
  const what = Object.hasOwn(eventWords, reason) ? eventWords[reason] : undefined;
  if (what !== undefined && subject === "PullRequest") return `github.pr.${what}`;
  if (what !== undefined && what !== "review_requested" && subject === "Issue")
    return `github.issue.${what}`;
  return `github.notification.${reason}`;
}
