import type * as z from "zod";
import { operations } from "../index.ts";
import { nagExamples } from "./nags.ts";
import { scheduleExamples } from "./schedules.ts";
import { subscriptionExamples } from "./subscriptions.ts";
import { syncExamples } from "./sync.ts";
import {
  again,
  id,
  linkCode,
  moved,
  notification,
  now,
  person,
  settings,
  token,
  tokenId,
  webhook,
  whole,
  zone,
} from "./views.ts";
import { watchExamples } from "./watches.ts";
import { whenExamples } from "./when.ts";
import { workspaceExamples } from "./workspaces.ts";

/** One asking and its answer, as help and documentation show them. */
export interface Example<Input = unknown, Output = unknown> {
  readonly input: Input;
  readonly output: Output;
}

type Operations = typeof operations;
type Examples = {
  readonly [Name in keyof Operations]: Example<
    z.input<Operations[Name]["input"]>,
    Awaited<ReturnType<Operations[Name]["run"]>>
  >;
};

/** One for each operation. Its test asks them all, and gets these answers. */
export const examples: Examples = {
  remind: {
    input: { message: "stand-up", at: "tomorrow 9am" },
    output: { ...notification, fresh: true },
  },
  update: { input: { id, at: "tomorrow 10am" }, output: moved },
  snooze: {
    input: { id, at: "tomorrow 10am" },
    output: { ...moved, result: "moved", snoozed: id },
  },
  done: {
    input: { id },
    output: {
      ...notification,
      state: "cancelled",
      next_at: null,
      cancelled_at: now,
      ended_at: now,
      revision: 2,
      result: "cancelled",
      taken_back: [],
    },
  },
  cancel: {
    input: { id, reason: "moved to Friday" },
    output: {
      ...notification,
      state: "cancelled",
      context: "Cancellation reason: moved to Friday",
      next_at: null,
      cancelled_at: now,
      ended_at: now,
      revision: 3,
      result: "cancelled",
    },
  },
  retry: { input: { id }, output: { ...again, fresh: true } },
  importNotifications: {
    input: {
      notifications: [
        { id: "n_0a1b2c3d", message: "stand-up", scheduled_at: "2026-11-17T09:00:00" },
        {
          id: "n_4e5f6a7b",
          message: "old",
          scheduled_at: "2026-11-01T09:00:00",
          status: "delivered",
        },
      ],
    },
    output: { imported: 1, known: 0, skipped: 1, refused: 0, problems: [] },
  },
  ...nagExamples,
  ...syncExamples,
  ...scheduleExamples,
  ...watchExamples,
  ...whenExamples,
  ...subscriptionExamples,
  ...workspaceExamples,
  list: { input: { all: true, limit: 10 }, output: { notifications: [notification], next: null } },
  show: { input: { id }, output: { ...notification, ...whole } },
  next: {
    input: { within: "2d" },
    output: {
      notifications: [notification],
      runs: [],
      nags: [],
      until: {
        utc: "2026-11-17T23:00:00Z",
        local: "2026-11-18T08:00:00+09:00[Asia/Seoul]",
        text: "Wed 18 Nov 2026 08:00 Asia/Seoul (in 2 d)",
        ...zone,
      },
      cut: false,
    },
  },
  explain: {
    input: { id },
    output: {
      id,
      kind: "notification",
      state: "pending",
      created_at: now,
      created_by: "me",
      ended_at: null,
      notification: { ...notification, origin: null, at_text: "tomorrow 9am" },
      run: null,
      schedule: null,
      nag: null,
      event: null,
      question: null,
      workspace: null,
      because: [],
      quiet: null,
      budget: null,
      paused: null,
      held_back: null,
      history: [
        {
          what: "appended",
          at: now,
          by: "me",
          state: "pending",
          attempt: 0,
          claimed_at: null,
          note: null,
          by_run: false,
        },
      ],
      history_cut: false,
      waits: {
        at: "2026-11-17T00:00:00Z",
        holder: null,
        parked: false,
        listener: true,
        cancelling: false,
      },
      ...whole,
    },
  },
  whoami: {
    input: {},
    output: {
      owner: "me",
      principal: "me",
      scopes: ["admin"],
      profile: settings,
      inbox: { target: "inbox:me", waiting: 0, more: false },
    },
  },
  setProfile: {
    input: { timezone: "Asia/Seoul", quiet: "22:00-07:00" },
    output: {
      ...settings,
      timezone: { value: "Asia/Seoul", from: "profile" },
      quiet: { value: "22:00-07:00", from: "profile" },
    },
  },
  registerWebhook: {
    input: { url: "https://example.org/hook", name: "pager" },
    output: { ...webhook, secret: "whsec_ED57fyzdkdPoTfPOTuG11f1YaZ1KGyPa", fresh: true },
  },
  listWebhooks: { input: {}, output: { webhooks: [webhook], next: null } },
  deleteWebhook: { input: { id }, output: { id, deleted: true } },
  createToken: {
    input: { name: "laptop", scopes: "read,write" },
    output: { ...token, token: "daybook_ED57fyzdkdPoTfPOTuG11f1YaZ1KGyPa4QMNtcQoJM8", fresh: true },
  },
  listTokens: { input: {}, output: { tokens: [token], next: null } },
  revokeToken: { input: { id: tokenId }, output: { id: tokenId, revoked: true } },
  link: {
    input: { owner: "me" },
    output: {
      code: linkCode,
      say: `/start ${linkCode}`,
      owner: "me",
      expires_at: "2026-11-15T23:15:00Z",
    },
  },
  people: { input: {}, output: { people: [person], next: null } },
  unlink: { input: { id: person.id }, output: { id: person.id, unlinked: true } },
  reloadConfig: { input: {}, output: { changed: ["owners.me.quiet"], needs_restart: [] } },
};

/** The example of an operation, by the name it has on the faces. */
export function exampleFor(name: string): Example | undefined {
  const found = Object.entries(operations).find(([, operation]) => operation.name === name);
  return found === undefined ? undefined : examples[found[0] as keyof Operations];
}
