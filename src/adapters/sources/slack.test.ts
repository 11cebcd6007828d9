import assert from "node:assert/strict";
import { test } from "node:test";
import { draftOf } from "../../features/events/poll-result.ts";
import { slackEvent } from "./slack.ts";

const said = {
  channel: "C0TEAM",
  user: "U0MINA",
  text: "배포해도 돼?",
  ts: "1707300000.000100",
  isMention: false,
};

test("messages, mentions and replies have their types and their thread as origin", () => {
  const thread = "1707299999.000200";
  const told = [
    slackEvent(said),
    slackEvent({ ...said, isMention: true }),
    slackEvent({ ...said, isMention: true, thread, context: { general: "gen-pr" } }),
    slackEvent({ ...said, thread: said.ts }),
  ];
  assert.deepEqual(
    told.map(({ type, name, origin }) => [type, name, origin]),
    [
      ["slack.channel.message", "evt-slack-msg-1707300000-000100", `slack:C0TEAM:${said.ts}`],
      ["slack.app_mention", "evt-slack-mention-1707300000-000100", `slack:C0TEAM:${said.ts}`],
      [
        "slack.thread.reply",
        "evt-slack-reply-1707299999-000200-1707300000-000100",
        `slack:C0TEAM:${thread}`,
      ],
      ["slack.channel.message", "evt-slack-msg-1707300000-000100", `slack:C0TEAM:${said.ts}`],
    ],
  );
  assert.deepEqual(told[2]?.payload["reply_context"], { general: "gen-pr" });
  assert.equal(told[0]?.payload["thread_ts"], said.ts);
});

test("each type can be stored, and a reply is urgent", () => {
  const making = { owner: "mina", home: "mina", now: 1_707_300_001_000, source: "slack" };
  assert.equal(draftOf(slackEvent({ ...said, thread: "1.000000" }), making).priority, "high");
  assert.equal(draftOf(slackEvent(said), making).body.at, 1_707_300_000_000);
});
