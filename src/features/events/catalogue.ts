/** What our sources tell of. How urgent each is, unless told otherwise, is in `features/events/kind.ts`. */
export const eventTypes = [
  "github.pr.review_requested",
  "github.pr.mentioned",
  "github.pr.assigned",
  "github.pr.comment",
  "github.pr.state_change",
  "github.issue.assigned",
  "github.issue.mentioned",
  "github.issue.comment",
  "github.issue.state_change",
  "jira.ticket.assigned",
  "jira.ticket.updated",
  "jira.ticket.commented",
  "slack.channel.message",
  "slack.app_mention",
  "slack.thread.reply",
] as const;

/** With its time: a review that is requested again has the same thread. */
export function githubName(source: string, thread: string, updatedAt: string): string {
  return `evt-${source}-${thread}-${updatedAt}`;
}

/** `evt-jira-QP-123-20260207100000`; with milliseconds where there are some: a second has room for two changes. */
export function jiraName(source: string, key: string, updated: number): string {
  const time = Temporal.Instant.fromEpochMilliseconds(updated).toString({
    smallestUnit: "millisecond",
  });
  const digits = time.replaceAll(/\D/g, "");
  return `evt-${source}-${key}-${digits.endsWith("000") ? digits.slice(0, -3) : digits}`;
}

export function slackMessageName(source: string, ts: string): string {
  return `evt-${source}-msg-${dashed(ts)}`;
}

export function slackMentionName(source: string, ts: string): string {
  return `evt-${source}-mention-${dashed(ts)}`;
}

/** The second of the reply, and what is finer where there is something: two may answer in one second. */
export function slackReplyName(source: string, thread: string, ts: string): string {
  const [second = "", finer = ""] = ts.split(".");
  const rest = /^0*$/.test(finer) ? "" : `-${finer}`;
  return `evt-${source}-reply-${dashed(thread)}-${second}${rest}`;
}

function dashed(ts: string): string {
  return ts.replaceAll(".", "-");
}
