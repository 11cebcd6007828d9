import * as z from "zod";
import { operation, type Context } from "../../../kernel/operation.ts";
import type { DraftOf, Key } from "../../../kernel/unit.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { present } from "../../../platform/json.ts";
import { parseEnd, parseFuture } from "../../../time/future.ts";
import { dueView, guessView, type MomentOptions } from "../../accounts/index.ts";
import { outlookOf, type Outlook } from "../hold.ts";
import { contextCharsMax, makeNotification, type NotificationKind } from "../kind.ts";
import { hasListener } from "../ports.ts";
import { isForListeners, type Route } from "../routing.ts";
import { textsOf } from "../texts.ts";
import { fields, priorityOf, requestKey } from "./fields.ts";
import { inNoCalendar } from "./in-calendar.ts";
import { insert, type Inserted } from "./insert.ts";
import { checkedRoute } from "./target.ts";
import { notificationView, shown, shownBody } from "./view.ts";

const input = z.strictObject({
  message: z.string().describe("the text to send"),
  at: fields.at,
  timezone: fields.timezone,
  target: z
    .string()
    .optional()
    .describe(
      "where to send it, as channel:address. Default: the chat of the request, else the owner's home, else the inbox",
    ),
  type: fields.type,
  priority: fields.priority,
  scheduled_at_text: fields.scheduledAtText,
  created_by: fields.createdBy,
  related_task_id: z.string().min(1).nullish().describe("the task it is about"),
  related_question_id: z.string().min(1).nullish().describe("the question it is about"),
  context: z
    .string()
    .nullish()
    .describe(`the context of the request. At most ${contextCharsMax} characters`),
  expires_at: z
    .string()
    .optional()
    .describe("when it expires: it is not sent after this. Written like `at`. Default: never"),
  at_most_once: z
    .boolean()
    .optional()
    .describe("never send it twice, even if it may be lost when a send is interrupted"),
  collapse_key: z
    .string()
    .min(1)
    .optional()
    .describe("a key for updates: the newest replaces a waiting one with this key and target"),
  key: fields.key,
});
type Input = z.infer<typeof input>;

const output = notificationView.extend({
  /** Null: the key was used before, and that notification has been pruned. */
  due: dueView.nullable(),
  created_at: notificationView.shape.created_at.nullable(),
  created_by: notificationView.shape.created_by.nullable(),
  revision: notificationView.shape.revision.nullable(),
  fresh: z.boolean().describe("false: an earlier request with this key wrote it"),
  ...guessView,
  replaces: z.string().optional().describe("the id of the notification that it replaces"),
  listening: z
    .literal(false)
    .optional()
    .describe("false: nobody is attached to its target now, so it waits until somebody is"),
});

export const remind = operation({
  name: "schedule_notification",
  summary: "Send a message once, at a time.",
  input,
  output,
  aliases: { scheduled_at: "at", notification_type: "type" },
  effect: "adds",
  example: { message: "stand-up", at: "tomorrow 9am" },
  route: { method: "POST", path: "/v1/notifications" },
  command: { name: "remind", positionals: ["message"] },
  tool: "always",
  toolInputs: { seldom: ["collapse_key", "created_by", "scheduled_at_text"] },
  async run(request, context): Promise<z.infer<typeof output>> {
    const options = await outlookOf(context, request.timezone);
    const hasKey = request.key !== undefined;
    const { at, ...guess } = parseFuture(request.at, { ...options, hasKey });
    const route = await checkedRoute(request.target, context);
    const body = bodyOf(request, { at, options, route, context });
    const draft = makeNotification(body, { priority: priorityOf(request.priority) });
    const key = keyOf(request, route, Math.max(at, options.now));
    const inserted = await insert({ ...draft, key }, context);
    const view = answer(inserted, draft, { ...options, ...guess });
    const isHeard = inserted.fresh ? listening(route, context) : undefined;
    return { ...view, ...present({ listening: isHeard }) };
  },
  render({ id, state, target, due, fresh, replaces, listening: isHeard }, { language }) {
    const texts = textsOf(language);
    if (due === null) return `${texts.requestedAndPruned()}\n${id}`;
    const when = due.text;
    if (!fresh) return `${texts.requestedBefore({ state, when, target })}\n${id}`;
    return [
      texts.planned({ when, target }),
      ...(due.past ? [texts.pastSoAtOnce()] : []),
      ...(replaces === undefined ? [] : [texts.inPlaceOf(replaces)]),
      ...(isHeard === false ? [texts.nobodyListens(target)] : []),
      id,
    ].join("\n");
  },
});

/** False when nobody would receive it now. */
function listening({ target }: Route, context: Context): false | undefined {
  const has = context.use(hasListener);
  return has !== undefined && isForListeners(target) && !has(target) ? false : undefined;
}

interface Parsed {
  at: number;
  options: MomentOptions;
  route: Route;
  context: Context;
}

function bodyOf(request: Input, { at, options, route, context }: Parsed): NotificationKind["body"] {
  const { expires_at: end } = request;
  return present({
    message: request.message,
    at,
    atText: request.scheduled_at_text || request.at,
    createdBy: request.created_by ?? undefined,
    target: route.target,
    targetReason: route.reason,
    origin: context.origin,
    type: request.type,
    relatedTaskId: request.related_task_id ?? undefined,
    relatedQuestionId: request.related_question_id ?? undefined,
    context: request.context ?? undefined,
    expiresAt: end === undefined ? undefined : readExpiry(end, options),
    atMostOnce: request.at_most_once === true ? true : undefined,
    collapseKey: request.collapse_key,
  });
}

function readExpiry(text: string, options: MomentOptions): number {
  const { at } = parseEnd(text, options);
  if (at > options.now) return at;
  throw new DaybookError("invalid", "Its expiry time has passed already: choose a later one.");
}

/** A key stands for the request as typed: "+30m" is another time when it is sent again. */
function keyOf({ key, ...typed }: Input, { target }: Route, from: number): Key | undefined {
  if (key === undefined) return undefined;
  return requestKey(key, { ...typed, priority: priorityOf(typed.priority), target }, from);
}

function answer(
  { id, record, fresh, replaces }: Inserted,
  draft: DraftOf<NotificationKind>,
  options: Outlook,
): z.infer<typeof output> {
  if (record === null) return pruned(id, draft);
  const { assumed, instead } = fresh ? options : {};
  const view = shown(record, { ...options, assumed, instead });
  return { ...view, ...present({ fresh, assumed, instead, replaces }) };
}

/** The answer for a key whose notification has been pruned: the request is all that is known. */
function pruned(id: string, draft: DraftOf<NotificationKind>): z.infer<typeof output> {
  return {
    id,
    state: "forgotten",
    ...shownBody(draft.body),
    due: null,
    priority: draft.priority ?? "normal",
    created_at: null,
    created_by: null,
    next_at: null,
    waiting: null,
    delivered_at: null,
    cancelled_at: null,
    ended_at: null,
    cancelling: false,
    attempts: 0,
    receipt: null,
    reason: null,
    maybe_delivered: false,
    revision: null,
    ...inNoCalendar,
    fresh: false,
  };
}
