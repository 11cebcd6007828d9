import assert from "node:assert/strict";
import { test } from "node:test";
import { isEventType } from "../tasks/task-event.ts";
import {
  eventTypes,
  githubName,
  jiraName,
  slackMentionName,
  slackMessageName,
  slackReplyName,
} from "./catalogue.ts";
import { priorityOf } from "./kind.ts";

test("names of events are those of the seed", () => {
  assert.equal(
    githubName("github", "12345678", "2026-02-07T10:00:00Z"),
    "evt-github-12345678-2026-02-07T10:00:00Z",
  );
  assert.equal(
    jiraName("jira", "QP-123", Date.UTC(2026, 1, 7, 10)),
    "evt-jira-QP-123-20260207100000",
  );
  assert.equal(slackMessageName("slack", "1234.5678"), "evt-slack-msg-1234-5678");
  assert.equal(slackMentionName("slack", "1234.5678"), "evt-slack-mention-1234-5678");
  assert.equal(
    slackReplyName("slack", "1234.5678", "1707300000.000000"),
    "evt-slack-reply-1234-5678-1707300000",
  );
});

test("two replies in one second have two names", () => {
  const names = ["1707300000.000100", "1707300000.000200"].map((ts) =>
    slackReplyName("slack", "1234.5678", ts),
  );
  assert.equal(new Set(names).size, 2);
});

test("replies have a high default priority, and mere news a low one", () => {
  const by = Map.groupBy(eventTypes, priorityOf);
  assert.deepEqual(by.get("high"), ["slack.thread.reply"]);
  assert.deepEqual(by.get("low"), [
    "github.pr.comment",
    "github.pr.state_change",
    "github.issue.mentioned",
    "github.issue.comment",
    "github.issue.state_change",
    "jira.ticket.commented",
  ]);
  assert.equal(priorityOf("github.notification.ci_activity"), "low");
  assert.ok(eventTypes.every(isEventType));
});
