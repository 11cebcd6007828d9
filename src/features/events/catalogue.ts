/** The types of events that our sources publish. `priorityOf` in `kind.ts` has their default priorities. */
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

/** The time is part of the name: a review that is requested again has the same thread. */
export function githubName(source: string, thread: string, updatedAt: string): string {
  return `evt-${source}-${thread}-${updatedAt}`;
}

/** `evt-jira-QP-123-20260207100000`, with milliseconds if there are any: two changes may be in one second. */
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

/** The second of the reply, with its fraction if there is one: two replies may be in one second. */
export function slackReplyName(source: string, thread: string, ts: string): string {
  const [second = "", fraction = ""] = ts.split(".");
  const rest = /^0*$/.test(fraction) ? "" : `-${fraction}`;
  return `evt-${source}-reply-${dashed(thread)}-${second}${rest}`;
}

function dashed(ts: string): string {
  return ts.replaceAll(".", "-");
}
