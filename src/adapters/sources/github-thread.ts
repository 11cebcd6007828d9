import { z } from "zod";
import { githubName } from "../../features/events/catalogue.ts";
import type { SourceEvent } from "../../features/events/poll-result.ts";
import { oneLine } from "../../platform/text.ts";
import { instantOf } from "./instant.ts";

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

interface Threads {
  readonly events: readonly SourceEvent[];
  /** Of those that could not be read. */
  readonly reasons: readonly string[];
}

/** A page of notifications; nothing when it is no page. */
export function readThreads(source: string, page: unknown): Threads | undefined {
  if (!Array.isArray(page)) return undefined;
  const read = page.map((each) => threadForm.safeParse(each));
  return {
    events: read.flatMap(({ data }) => (data === undefined ? [] : [eventOf(source, data)])),
    reasons: read
      .flatMap(({ error }) =>
        error === undefined ? [] : [`a notification whose ${z.prettifyError(error)}`],
      )
      .map((reason) => oneLine(reason, 200)),
  };
}

const titleCharsMax = 1_000;

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

const happenings: Readonly<Record<string, string>> = {
  review_requested: "review_requested",
  mention: "mentioned",
  team_mention: "mentioned",
  assign: "assigned",
  comment: "comment",
  state_change: "state_change",
};

/** `github.pr.review_requested`; what we have no word for keeps GitHub's own. */
function githubType(subject: string, reason: string): string {
  const what = Object.hasOwn(happenings, reason) ? happenings[reason] : undefined;
  if (what !== undefined && subject === "PullRequest") return `github.pr.${what}`;
  if (what !== undefined && what !== "review_requested" && subject === "Issue")
    return `github.issue.${what}`;
  return `github.notification.${reason}`;
}
