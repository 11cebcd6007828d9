import type { Sent } from "../../features/notifications/index.ts";

/** Slack failed before it began. */
const passing: readonly string[] = [
  "ratelimited",
  "rate_limited",
  "service_unavailable",
  "team_added_to_org",
];
/** Slack failed midway: the message may have been posted. */
const halfway: readonly string[] = ["internal_error", "fatal_error", "request_timeout"];

const badToken = "the token is not valid any more: set DAYBOOK_SLACK_TOKEN to the app's bot token";
const gone =
  "the channel does not exist, or the app is not in it: check the id, and invite the app";
const barred = "the app may not post there: allow it, or choose another target";

/** The meaning of a refusal, and what to do about it. */
const meanings: Readonly<Record<string, string>> = {
  channel_not_found: gone,
  user_not_found: "the person is not in the workspace: check the id",
  thread_not_found: "the thread is deleted: choose another target",
  is_archived: "the channel is archived: choose another target",
  not_in_channel: "the app is not in the channel: invite it",
  account_inactive: badToken,
  invalid_auth: badToken,
  not_authed: badToken,
  token_expired: badToken,
  token_revoked: badToken,
  not_allowed_token_type: badToken,
  missing_scope: "the app lacks the scope chat:write: add it, and install the app again",
  messages_tab_disabled: "the app accepts no messages: turn on its Messages tab",
  restricted_action: barred,
  restricted_action_read_only_channel: barred,
  restricted_action_thread_only_channel: barred,
};

/** The workspace's rules for files. */
const fileRules: readonly string[] = [
  "file_uploads_disabled",
  "file_uploads_except_images_disabled",
  "file_upload_size_restricted",
  "file_type_not_allowed",
];

/** What the refusal of a file means. */
export function fileRefused(code: string, status: number): Sent {
  const rejected = (meaning: string): Sent => ({
    result: "rejected",
    reason: `${meaning} (${code})`,
  });
  if (code === "missing_scope") {
    return rejected("the app lacks the scope files:write: add it, and install the app again");
  }
  if (fileRules.includes(code)) return rejected("the workspace does not take the file: allow it");
  return refused(code, status);
}

/** What the refusal of a message means: whether it was posted, and what to do. */
export function refused(code: string, status: number): Sent {
  if (passing.includes(code)) {
    return { result: "retry", reason: `Slack answered ${code}`, destinationDown: true };
  }
  if (halfway.includes(code)) return { result: "unknown", reason: `Slack answered ${code}` };
  if (status === 200 && !/^\w{1,80}$/.test(code)) {
    const toDo = "check DAYBOOK_SLACK_API";
    return { result: "unknown", reason: `the answer is not from Slack: ${toDo}` };
  }
  const meaning = Object.hasOwn(meanings, code) ? meanings[code] : "Slack refused the message";
  return { result: "rejected", reason: `${meaning} (${code === "" ? status : code})` };
}
