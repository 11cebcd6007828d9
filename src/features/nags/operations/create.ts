import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import { allows } from "../../../kernel/scope.ts";
import type { DraftOf } from "../../../kernel/unit.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { parseFuture } from "../../../time/future.ts";
import type { ParsedTime } from "../../../time/times.ts";
import { guessView, type MomentOptions } from "../../accounts/index.ts";
import {
  outlookOf,
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
import { changeNag } from "./change-nag.ts";
import { nagInput, type NagInput } from "./inputs.ts";
import { findPage } from "./pages.ts";
import { nagView, viewNag } from "./view.ts";

const output = nagView.partial().extend({
  id: z.string(),
  state: z
    .string()
    .describe("forgotten: the nag with the same key has ended, and its record was deleted"),
  fresh: z
    .boolean()
    .describe("false: a nag with the same key, or about the same page, existed before"),
  again: z
    .boolean()
    .optional()
    .describe("the page had a nag: it was moved to the requested time and keeps its count"),
  ...guessView,
  unreachable: z.string().optional().describe("why it cannot be delivered yet"),
});
type Output = z.output<typeof output>;

export const nag = operation({
  name: "nag",
  summary: "Send a message again and again until it is done.",
  input: nagInput,
  output,
  aliases: { text: "message", page_id: "page" },
  effect: "adds",
  example: { message: "pay rent", at: "the 25th 9am", curve: "hourly" },
  route: { method: "POST", path: "/v1/nags" },
  command: { name: "nag", positionals: ["message"] },
  async run(request, context): Promise<Output> {
    const options = await outlookOf(context, request.timezone);
    const about = await aboutOf(request, context);
    const { at, ...guess } = firstAt(request, options);
    const { route, unreachable } = await routeFor(request.target, context);
    const parsed = { about, at, route, options };
    const { id, record, fresh, again } = await write(request, parsed, context);
    if (record === null) return { id, state: "forgotten", fresh: false };
    const viewOptions = { ...options, ...(fresh || again ? guess : {}) };
    const view = await viewNag(bookOf(context), record, viewOptions);
    return { ...view, ...guess, fresh, again: again || undefined, unreachable };
  },
  render(created, { language }) {
    const texts = textsOf(language);
    const { id, title: what = "", curve = "", target = "", state, next, unreachable } = created;
    if (created.title === undefined) return `${texts.nagPruned()}\n${id}`;
    const when = next?.text ?? "";
    if (created.again === true) return `${texts.nagRescheduled({ what, when })}\n${id}`;
    if (!created.fresh) return `${texts.nagExists({ what, state })}\n${id}`;
    const past = next?.past === true ? [texts.pastSoAtOnce()] : [];
    const warning = unreachable === undefined ? [] : [texts.unreachable(unreachable)];
    return [texts.nagCreated({ what, when, curve, target }), ...past, ...warning, id].join("\n");
  },
});

function firstAt({ at, key }: NagInput, options: MomentOptions): ParsedTime {
  if (at === undefined) return { at: options.now };
  return parseFuture(at, { ...options, hasKey: key !== undefined });
}

interface ParsedRequest {
  readonly about: Nag["body"]["about"];
  readonly at: number;
  readonly route: Route;
  readonly options: MomentOptions;
}

async function aboutOf(
  { message, page }: NagInput,
  context: Context,
): Promise<ParsedRequest["about"]> {
  if (message !== undefined && page === undefined) return { text: message };
  if (page === undefined || message !== undefined) {
    throw new DaybookError(
      "invalid",
      "A nag needs a message or a page: give one of them, not both.",
    );
  }
  await findPage(page, context);
  return { page };
}

/** With the scope "target" a target need not be reachable yet: the nag is delivered as soon as it is. */
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
async function write(request: NagInput, parsed: ParsedRequest, context: Context) {
  const { owner, profile } = context;
  const priority = priorityOf(request.priority);
  const body = bodyOf(request, parsed, context);
  const nagOwner = { owner, quiet: profile.quiet, priority };
  try {
    const make = (quotaSlot: number) =>
      keyed(makeNag({ ...body, quotaSlot }, nagOwner), request, parsed);
    return { ...(await appendInSlot(make, context)), again: false };
  } catch (error) {
    const existing = holderOf(error);
    if (existing === undefined || !("page" in parsed.about)) throw error;
    const { record } = await changeNag(existing, context, (found) =>
      requestedAgain(found, changesIn(request, body), profile.quiet),
    );
    return { id: record.id, record, fresh: false, again: true };
  }
}

function bodyOf(
  request: NagInput,
  { about, at, route }: ParsedRequest,
  context: Context,
): NagRequest {
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

/** Inputs that the request omits stay as they were. */
function changesIn(
  request: NagInput,
  { at, atText, curve, curveName, target, targetReason, zone }: NagRequest,
): Parameters<typeof requestedAgain>[1] {
  return {
    at,
    atText,
    zone,
    ...(request.curve !== undefined && { curve, curveName }),
    ...(request.target !== undefined && { target, targetReason }),
  };
}

/** The nag that exists for the page. */
function holderOf(error: unknown): string | undefined {
  if (!hasCode(error, "held")) return undefined;
  const { holder } = error.details;
  return typeof holder === "string" ? holder : undefined;
}

/** The key covers the request as it was typed, because "+30m" is another time when the request is repeated. */
function keyed(
  draft: DraftOf<NagKind>,
  { key: name, ...typed }: NagInput,
  { at, options }: ParsedRequest,
): DraftOf<NagKind> {
  if (name === undefined) return draft;
  const request = { ...typed, priority: priorityOf(typed.priority), target: draft.body.target };
  return { ...draft, key: requestKey(name, request, Math.max(at, options.now)) };
}
