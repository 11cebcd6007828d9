import * as z from "zod";
import { operation, type Context } from "../../../kernel/operation.ts";
import type { DraftOf, Key } from "../../../kernel/unit.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { parseTime } from "../../../time/times.ts";
import { dueView, momentOptions, type MomentOptions } from "../../accounts/index.ts";
import { contextCharsMax, makeNotification, type NotificationKind } from "../kind.ts";
import type { Route } from "../routing.ts";
import { textsOf } from "../texts.ts";
import { fields, priorityOf, requestKey } from "./fields.ts";
import { insert, type Inserted } from "./insert.ts";
import { checkedRoute } from "./target.ts";
import { notificationView, shown, shownBody } from "./view.ts";

const input = z.strictObject({
  message: z.string().describe("what to say"),
  at: fields.at,
  timezone: fields.timezone,
  target: z
    .string()
    .optional()
    .describe("where, as channel:address; when absent, where it is asked, or the owner's home"),
  type: fields.type,
  priority: fields.priority,
  related_task_id: z.string().min(1).optional().describe("the task it is about"),
  related_question_id: z.string().min(1).optional().describe("the question it is about"),
  context: z
    .string()
    .optional()
    .describe(`why it was asked; at most ${contextCharsMax} characters`),
  expires_at: z.string().optional().describe("when it is too late to say it, written like `at`"),
  at_most_once: z.boolean().optional().describe("rather never than twice"),
  collapse_key: z
    .string()
    .min(1)
    .optional()
    .describe("it takes the place of one with this key that still waits for the same target"),
  key: fields.key,
});
type Input = z.infer<typeof input>;

const output = notificationView.extend({
  /** Null: it was asked before with the same key, and is since forgotten. */
  due: dueView.nullable(),
  created_at: notificationView.shape.created_at.nullable(),
  created_by: notificationView.shape.created_by.nullable(),
  revision: notificationView.shape.revision.nullable(),
  fresh: z.boolean().describe("false: it had been asked before with the same key"),
  assumed: z.string().optional().describe("what the time did not say and was taken"),
  replaces: z.string().optional().describe("the one it took the place of"),
});

export const remind = operation({
  name: "schedule_notification",
  summary: "Say something once, on time.",
  input,
  output,
  aliases: { scheduled_at: "at", notification_type: "type" },
  ignored: ["created_by"],
  effect: "adds",
  example: { message: "stand-up", at: "tomorrow 9am" },
  route: { method: "POST", path: "/v1/notifications" },
  command: { name: "remind", positionals: ["message"] },
  tool: "always",
  async run(request, context): Promise<z.infer<typeof output>> {
    const look = momentOptions(context, request.timezone);
    const { at, assumed } = parseTime(request.at, look);
    const route = await checkedRoute(request.target, context);
    const body = bodyOf(request, { at, look, route, context });
    const draft = makeNotification(body, priorityOf(request.priority));
    const from = Math.max(body.at, look.now);
    const key = request.key === undefined ? {} : { key: keyOf(request, route, from) };
    const inserted = await insert({ ...draft, ...key }, context);
    return answer(inserted, { draft, look: { ...look, assumed } });
  },
  render({ id, state, target, due, fresh, replaces }, { language }) {
    const texts = textsOf(language);
    if (due === null) return `${texts.askedAndForgotten()}\n${id}`;
    const when = due.text;
    if (!fresh) return `${texts.askedBefore({ state, when, target })}\n${id}`;
    return [
      texts.planned({ when, target }),
      ...(due.past ? [texts.pastSoAtOnce()] : []),
      ...(replaces === undefined ? [] : [texts.inPlaceOf(replaces)]),
      id,
    ].join("\n");
  },
});

interface Read {
  at: number;
  look: MomentOptions;
  route: Route;
  context: Context;
}

function bodyOf(request: Input, { at, look, route, context }: Read): NotificationKind["body"] {
  const { type, related_task_id: task, related_question_id: question, expires_at: end } = request;
  return {
    message: request.message,
    at,
    atText: request.at,
    target: route.target,
    targetReason: route.reason,
    origin: context.origin,
    ...(type === undefined ? {} : { type }),
    ...(task === undefined ? {} : { relatedTaskId: task }),
    ...(question === undefined ? {} : { relatedQuestionId: question }),
    ...(request.context === undefined ? {} : { context: request.context }),
    ...(end === undefined ? {} : { expiresAt: readEnd(end, look) }),
    ...(request.at_most_once === true ? { atMostOnce: true } : {}),
    ...(request.collapse_key === undefined ? {} : { collapseKey: request.collapse_key }),
  };
}

function readEnd(text: string, look: MomentOptions): number {
  const { at } = parseTime(text, look);
  if (at > look.now) return at;
  throw new DaybookError("invalid", "It expires before it can be said: let it expire later.");
}

/** A key stands for what was typed: "+30m" is another moment when it is asked again. */
function keyOf({ key: name = "", ...asked }: Input, { target }: Route, from: number): Key {
  return requestKey(name, { ...asked, ...priorityOf(asked.priority), target }, from);
}

interface Drafted {
  draft: DraftOf<NotificationKind>;
  look: MomentOptions;
}

function answer(
  { id, record, fresh, replaces }: Inserted,
  { draft, look }: Drafted,
): z.infer<typeof output> {
  if (record === null) return forgotten(id, draft);
  const { assumed, ...plain } = look;
  return {
    ...shown(record, fresh ? look : plain),
    fresh,
    ...(fresh && assumed !== undefined ? { assumed } : {}),
    ...(replaces === undefined ? {} : { replaces }),
  };
}

/** All that is known of it is that the same was asked. */
function forgotten(id: string, draft: DraftOf<NotificationKind>): z.infer<typeof output> {
  return {
    id,
    state: "forgotten",
    ...shownBody(draft.body),
    due: null,
    priority: draft.priority ?? "normal",
    created_at: null,
    created_by: null,
    next_at: null,
    delivered_at: null,
    cancelled_at: null,
    ended_at: null,
    cancelling: false,
    attempts: 0,
    receipt: null,
    reason: null,
    maybe_delivered: false,
    revision: null,
    fresh: false,
  };
}
