import * as z from "zod";
import { operation, type Context, type Reader } from "../../kernel/operation.ts";
import { allows } from "../../kernel/scope.ts";
import { DaybookError, hasCode } from "../../platform/errors.ts";
import { isoOf, fromIso, isoOr } from "../../platform/iso-time.ts";
import { present } from "../../platform/json.ts";
import { parseEnd } from "../../time/future.ts";
import { inWords } from "../../time/times.ts";
import { momentOptions } from "../accounts/index.ts";
import {
  systemOwner,
  readPauses,
  isInForce,
  makePause,
  pausableKinds,
  scopeText,
  type Pause,
  type PauseScope,
} from "../nodes/index.ts";
import { textsOf } from "./texts.ts";

/** A pause, as every interface shows it. */
export const pauseView = z.object({
  scope: z.string().describe("all, kind NAME, owner NAME or channel NAME"),
  since: z.string(),
  until: z.string().nullable(),
  reason: z.string().nullable(),
  by: z.string(),
});
type PauseView = z.infer<typeof pauseView>;

const scopeInputs = {
  kind: z.enum(pausableKinds).optional().describe("only records of this kind"),
  owner: z.string().min(1).optional().describe("only records of this owner"),
  channel: z.string().min(1).optional().describe("only notifications for this channel"),
};
const request = z.object(scopeInputs);
const output = z.object({ pauses: z.array(pauseView) });

export const pauseEverything = operation({
  name: "pause_everything",
  summary: "Pause everything, or one kind, owner or channel.",
  input: z.strictObject({
    ...scopeInputs,
    until: z
      .string()
      .optional()
      .describe("when it resumes by itself, written like the time of a reminder. Default: never"),
    reason: z.string().optional().describe("the reason, shown where the pause is shown"),
  }),
  output,
  example: { until: "tomorrow 9am", reason: "holiday" },
  route: { method: "POST", path: "/v1/pauses" },
  command: { name: "pause --all", positionals: [] },
  async run({ until, reason, ...what }, context) {
    const scope = scopeOf(what, context);
    const options = momentOptions(context);
    const end = until === undefined ? undefined : parseEnd(until, options).at;
    const body = present({ scope, reason: reason?.trim() || null, until: end });
    const draft = makePause(body, options.now);
    const book = context.ledger.of(systemOwner, context.by);
    try {
      await book.append(draft);
    } catch (error) {
      const [before] = (await readPauses(context.ledger)).filter(isSame(scope));
      if (!hasCode(error, "held") || before === undefined) throw error;
      await book.edit({ kind: "pause", id: before.id, body: draft.body });
    }
    return { pauses: await pausesFor(context) };
  },
  render: ({ pauses }, reader) => pauseLines(pauses, reader).join("\n"),
});

export const resumeEverything = operation({
  name: "resume_everything",
  summary: "Resume what is paused. Records that came due meanwhile are late.",
  input: z.strictObject(scopeInputs),
  output: output.extend({ resumed: pauseView.shape.scope }),
  example: {},
  route: { method: "POST", path: "/v1/pauses/end" },
  command: { name: "resume --all", positionals: [] },
  async run(what, context) {
    const scope = scopeOf(what, context);
    const book = context.ledger.of(systemOwner, context.by);
    const found = (await readPauses(context.ledger)).filter(isSame(scope));
    // An expired pause is ended too, so that a new one can take its place.
    for (const { id } of found) await book.edit({ kind: "pause", id, ends: "over" });
    const pauses = await pausesFor(context);
    const now = context.now();
    if (!found.some((pause) => isInForce(pause, now))) throw noneOf(scope, pauses, context);
    return { resumed: scopeText(scope), pauses };
  },
  render({ resumed, pauses }, reader) {
    // Records of an owner or a channel were claimed and put back; a kind was not claimed at all.
    const isPutBack = /^(owner|channel) /.test(resumed);
    const texts = textsOf(reader.language);
    return [texts.resumed(isPutBack), ...pauseLines(pauses, reader)].join("\n");
  },
});

/** No pause of this scope is in force: names those that are, and how to end them. */
function noneOf(
  scope: PauseScope,
  pauses: readonly PauseView[],
  { scopes }: Context,
): DaybookError {
  const name = scopeText(scope);
  const others = pauses.map(({ scope: other }) => {
    const flag = other === "all" ? "" : ` --${other}`;
    return allows(scopes, "admin") ? `${other} (daybook resume --all${flag})` : other;
  });
  const sentence =
    others.length === 0
      ? `No pause of "${name}" is in force: daybook whoami shows what is paused.`
      : `No pause of "${name}" is in force, but others are: ${others.join(", ")}.`;
  return new DaybookError("not_found", sentence);
}

/** The pauses in force that cover the caller's records. */
export async function pausesFor(context: Context): Promise<PauseView[]> {
  const now = context.now();
  const all = await readPauses(context.ledger);
  const isMine = ({ body: { scope } }: Pause): boolean =>
    !("owner" in scope) || scope.owner === context.owner || allows(context.scopes, "admin");
  return all.filter((pause) => isInForce(pause, now) && isMine(pause)).map(shown);
}

export function pauseLines(pauses: readonly PauseView[], { language, zone }: Reader): string[] {
  return pauses.map(({ scope, until, reason }) => {
    const end = until === null ? null : inWords(fromIso(until), zone, language);
    return textsOf(language).paused({ scope, until: end, reason });
  });
}

function shown({ body, by, createdAt }: Pause): PauseView {
  const { scope, until, reason } = body;
  return { scope: scopeText(scope), since: isoOf(createdAt), until: isoOr(until), reason, by };
}

function isSame(scope: PauseScope): (pause: Pause) => boolean {
  return ({ body }) => scopeText(body.scope) === scopeText(scope);
}

/** Callers may pause their own book, which is also their default; any other scope needs `admin`. */
function scopeOf(what: z.infer<typeof request>, context: Context): PauseScope {
  const { kind, owner, channel } = what;
  const named: PauseScope[] = [
    ...(kind === undefined ? [] : [{ kind }]),
    ...(owner === undefined ? [] : [{ owner }]),
    ...(channel === undefined ? [] : [{ channel }]),
  ];
  if (named.length > 1) {
    throw new DaybookError("invalid", "Give at most one of kind, owner and channel.");
  }
  const isAdmin = allows(context.scopes, "admin");
  const [scope = isAdmin ? { all: true as const } : { owner: context.owner }] = named;
  const isOwn = "owner" in scope && scope.owner === context.owner;
  if (isOwn || isAdmin) return scope;
  const sentence =
    'This token may pause only its own book: leave out kind, owner and channel, or use a token with the scope "admin".';
  throw new DaybookError("refused", sentence, { details: { scope: "admin" } });
}
