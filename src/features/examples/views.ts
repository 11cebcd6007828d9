import type { NotificationView } from "../notifications/index.ts";
export const id = "019a8d3e-7c00-7a52-9b1e-3f4c5d6e7f80";
export const tokenId = "5f1c0a77-3e9b-8d24-9c6a-1b2c3d4e5f60";
/** Mon 16 Nov 2026, eight in the morning in Seoul: all of it is asked then. */
export const now = "2026-11-15T23:00:00Z";
export const whole = { next_offset: null, remaining: 0 };
export const zone = { zone: "Asia/Seoul", zone_from: "setting", past: false } as const;

export const notification: NotificationView = {
  id,
  state: "pending",
  target: "inbox:me",
  target_because: "inbox",
  due: {
    utc: "2026-11-17T00:00:00Z",
    local: "2026-11-17T09:00:00+09:00[Asia/Seoul]",
    text: "Tue 17 Nov 2026 09:00 Asia/Seoul (in 1 d 1 h)",
    ...zone,
  },
  message: "stand-up",
  type: "reminder",
  priority: "normal",
  created_at: now,
  created_by: "me",
  context: null,
  related_task_id: null,
  related_question_id: null,
  expires_at: null,
  at_most_once: false,
  collapse_key: null,
  next_at: "2026-11-17T00:00:00Z",
  delivered_at: null,
  cancelled_at: null,
  ended_at: null,
  cancelling: false,
  attempts: 0,
  receipt: null,
  reason: null,
  maybe_delivered: false,
  revision: 1,
};

export const moved: NotificationView = {
  ...notification,
  due: {
    utc: "2026-11-17T01:00:00Z",
    local: "2026-11-17T10:00:00+09:00[Asia/Seoul]",
    text: "Tue 17 Nov 2026 10:00 Asia/Seoul (in 1 d 2 h)",
    ...zone,
  },
  next_at: "2026-11-17T01:00:00Z",
  revision: 2,
};

export const again: NotificationView = {
  ...notification,
  id: "019a8d41-0b7c-7f31-8a55-6c7d8e9fa0b1",
  due: {
    utc: now,
    local: "2026-11-16T08:00:00+09:00[Asia/Seoul]",
    text: "Mon 16 Nov 2026 08:00 Asia/Seoul (now)",
    ...zone,
  },
  next_at: now,
};

export const settings = {
  timezone: { value: "Asia/Seoul", from: "setting" },
  language: { value: "en", from: "setting" },
  home: { value: null, from: "setting" },
  quiet: { value: null, from: "setting" },
} as const;

export const webhook = {
  id,
  target: `webhook:${id}`,
  url: "https://example.org/hook",
  name: "pager",
  created_at: now,
};

export const token = {
  id: tokenId,
  name: "laptop",
  owner: "me",
  principal: "laptop",
  scopes: ["read" as const, "write" as const],
  created_at: now,
  created_by: "me",
  expires_at: null,
};

export const linkCode = "gyvzcxhk8dke";

export const person = {
  id: "d30499a3-109e-8bc7-88c3-59f966b9f1f3",
  channel: "telegram",
  sender: "123456789",
  name: "Mina",
  owner: "me",
  principal: "telegram:123456789",
  scopes: ["read" as const, "write" as const],
  linked_at: now,
};
