import * as z from "zod";
import { operation, type Context } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import { allows } from "../../../kernel/scope.ts";
import type { DraftOf } from "../../../kernel/unit.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { parseTime } from "../../../time/times.ts";
import { momentOptions, type MomentOptions } from "../../accounts/index.ts";
import {
  fields,
  priorityOf,
  requestKey,
  checkedRoute,
  routeOf,
  type Route,
} from "../../notifications/index.ts";
import { requestedAgain } from "../change.ts";
import { makeNag, type Nag, type NagKind, type NagRequest } from "../kind.ts";
import { curveNamed, defaultCurve } from "../named-curves.ts";
import { appendInSlot } from "../quota.ts";
import { textsOf } from "../texts.ts";
import { changeNag } from "./apply-change.ts";
import { findPage } from "./pages.ts";
import { nagView, viewNag } from "./view.ts";

const input = z.strictObject({
  message: z.string().optional().describe("what to say until it is done; or name a page"),
  page: z
    .string()
    .optional()
    .describe("the page it is about, by its id: its words are said as they are then"),
  at: z
    .string()
    .optional()
    .describe(
      'when first: now, unless said; in English or Korean, such as "+30m", "the 25th" or "내일 오후 3시"',
    ),
  curve: z
    .string()
    .optional()
    .describe(
      "how far apart: otu (1, 2, 4 … 256 days), minutes, hourly, daily, weekdays, or one of the settings; otu when absent",
    ),
  timezone: z
    .string()
    .optional()
    .describe('the time zone it is said in, such as "Asia/Seoul"; the owner\'s when absent'),
  target: z
    .string()
    .optional()
    .describe("where, as channel:address; when absent, where it is asked, or the owner's home"),
  priority: fields.priority,
  key: fields.key,
});
type Input = z.output<typeof input>;

const output = nagView.partial().extend({
  id: z.string(),
  state: z.string().describe("forgotten: it was asked before with the same key, and is gone"),
  fresh: z
    .boolean()
    .describe("false: it had been asked before, with the same key or about the same page"),
  again: z.boolean().optional().describe("the page had one: it is due as asked now, and counts on"),
  assumed: z.string().optional().describe("what the time did not say and was taken"),
  unreachable: z.string().optional().describe("why nothing can be said there so far"),
});
type Output = z.output<typeof output>;

export const nag = operation({
  name: "nag",
  summary: "Say something again and again, ever further apart, until it is done.",
  input,
  output,
  aliases: { text: "message", page_id: "page" },
  effect: "adds",
  example: { message: "pay rent", at: "the 25th 9am", curve: "hourly" },
  route: { method: "POST", path: "/v1/nags" },
  command: { name: "nag", positionals: ["message"] },
  async run(request, context): Promise<Output> {
    const options = momentOptions(context, request.timezone);
    const about = await aboutOf(request, context);
    const { at, assumed } =
      request.at === undefined ? { at: options.now } : parseTime(request.at, options);
    const { route, unreachable } = await routeFor(request.target, context);
    const parsed = { about, at, route, options };
    const { id, record, fresh, again } = await write(request, parsed, context);
    if (record === null) return { id, state: "forgotten", fresh: false };
    const viewOptions = { ...options, assumed: fresh || again ? assumed : undefined };
    const view = await viewNag(bookOf(context), record, viewOptions);
    return { ...view, fresh, again: again || undefined, assumed, unreachable };
  },
  render(made, { language }) {
    const texts = textsOf(language);
    const { id, title: what = "", curve = "", target = "", state, next } = made;
    if (made.title === undefined) return `${texts.naggedAndForgotten()}\n${id}`;
    const when = next?.text ?? "";
    if (made.again === true) return `${texts.naggedAgain({ what, when })}\n${id}`;
    if (!made.fresh) return `${texts.naggedBefore({ what, state })}\n${id}`;
    const past = next?.past === true ? [texts.pastSoAtOnce()] : [];
    const warning = made.unreachable === undefined ? [] : [texts.unreachable(made.unreachable)];
    return [texts.nagged({ what, when, curve, target }), ...past, ...warning, id].join("\n");
  },
});

interface ParsedRequest {
  readonly about: Nag["body"]["about"];
  readonly at: number;
  readonly route: Route;
  readonly options: MomentOptions;
}

async function aboutOf(
  { message, page }: Input,
  context: Context,
): Promise<ParsedRequest["about"]> {
  if (message !== undefined && page === undefined) return { text: message };
  if (page === undefined || message !== undefined) {
    throw new DaybookError("invalid", "Say either a message or a page that it is about.");
  }
  await findPage(page, context);
  return { page };
}

/** A caller with the scope "target" may name one that cannot be reached yet: it is sent once it can be. */
async function routeFor(target: string | undefined, context: Context) {
  try {
    return { route: await checkedRoute(target, context), unreachable: undefined };
  } catch (error) {
    const isUnknown = hasCode(error, "invalid") && "channels" in error.details;
    if (!isUnknown || !allows(context.scopes, "target")) throw error;
    const { origin, owner, profile } = context;
    const route = routeOf({ target, origin, owner, home: profile.home });
    return { route, unreachable: error.message };
  }
}

/** A page has one nag at a time: a second request changes that one. */
async function write(request: Input, parsed: ParsedRequest, context: Context) {
  const { owner, profile } = context;
  const priority = priorityOf(request.priority);
  const body = bodyOf(request, parsed, context);
  const nagOwner = { owner, quiet: profile.quiet, ...priority };
  try {
    const make = (quotaSlot: number) =>
      keyed(makeNag({ ...body, quotaSlot }, nagOwner), request, parsed);
    return { ...(await appendInSlot(make, context)), again: false };
  } catch (error) {
    const older = holderOf(error);
    if (older === undefined || !("page" in parsed.about)) throw error;
    const { record } = await changeNag(older, context, (found) =>
      requestedAgain(found, changesIn(request, body), profile.quiet),
    );
    return { id: record.id, record, fresh: false, again: true };
  }
}

function bodyOf(request: Input, { about, at, route }: ParsedRequest, context: Context): NagRequest {
  const curveName = request.curve ?? defaultCurve;
  return {
    about,
    curveName,
    curve: curveNamed(curveName, context),
    target: route.target,
    targetReason: route.reason,
    origin: context.origin,
    at,
    atText: request.at ?? "now",
    zone: request.timezone,
  };
}

/** What the request does not name stays as it was. */
function changesIn(
  request: Input,
  { at, atText, curve, curveName, target, targetReason, zone }: NagRequest,
): Parameters<typeof requestedAgain>[1] {
  const newCurve = request.curve === undefined ? {} : { curve, curveName };
  const newTarget = request.target === undefined ? {} : { target, targetReason };
  return { at, atText, zone, ...newCurve, ...newTarget };
}

/** The nag that is about the page already. */
function holderOf(error: unknown): string | undefined {
  if (!hasCode(error, "held")) return undefined;
  const { holder } = error.details;
  return typeof holder === "string" ? holder : undefined;
}

/** A key stands for the request as typed: "+30m" is another time when it is sent again. */
function keyed(
  draft: DraftOf<NagKind>,
  { key: name, ...asked }: Input,
  { at, options }: ParsedRequest,
): DraftOf<NagKind> {
  if (name === undefined) return draft;
  const stands = { ...asked, ...priorityOf(asked.priority), target: draft.body.target };
  return { ...draft, key: requestKey(name, stands, Math.max(at, options.now)) };
}
