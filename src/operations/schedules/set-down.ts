import { DaybookError, hasCode } from "../../base/errors.ts";
import { readProfile } from "../../ledger/profiles.ts";
import { planDeclared, type Declared, type Step } from "../../rules/declare.ts";
import { makeSchedule, type ScheduleKind } from "../../rules/schedule.ts";
import type { Desk } from "../ask.ts";
import { lookOf } from "../notification-view.ts";
import type { Context } from "../operation.ts";
import { bookOf } from "../own-book.ts";
import { routed } from "../target.ts";
import { whenNeeded } from "./asked-when.ts";
import { schedulesIn } from "./find-schedule.ts";
import type { AskedRun } from "./inputs.ts";
import { told } from "./refusals.ts";
import { runnable, timeoutOf } from "./runnable.ts";

type Body = ScheduleKind["body"];
type Schedules = Awaited<ReturnType<typeof schedulesIn>>;

/** Schedules as somebody keeps them set down, by name. */
export interface SetDown {
  /** Where they stand: what another place sets down is not touched. */
  readonly source: string;
  /** In whose books is looked for what no longer stands there. */
  readonly owners: readonly string[];
  readonly schedules: Readonly<Record<string, One>>;
}

interface One extends Pick<
  Body,
  "notify" | "misfire" | "overlap" | "rerun" | "notifyAfterFailures" | "disableAfterFailures"
> {
  readonly owner: string;
  readonly when: string;
  readonly timezone?: string;
  readonly run: AskedRun;
  readonly target?: string;
  readonly timeout: string;
  readonly adopt: boolean;
}

/** What became of one, or would. */
export type Applied = Step & { readonly owner: string; readonly secret?: string };

const schedulesMaxDefault = 50;
const triesMax = 30;

/** Makes the books as it is set down. What was done stays done when a later one is refused. */
export async function applySetDown(desk: Desk, isDry: boolean): Promise<readonly Applied[]> {
  const { owners, schedules, source } = desk.declared?.() ?? nothing;
  const all = new Set([...owners, ...Object.values(schedules).map(({ owner }) => owner)]);
  const applied: Applied[] = [];
  for (const owner of all) {
    const own = Object.entries(schedules).filter(([, one]) => one.owner === owner);
    const profile = await readProfile(desk.ledger, owner, desk.defaults);
    const who = { owner, by: "config", scopes: ["admin"], origin: null } as const;
    applied.push(...(await applyTo({ ...desk, ...who, profile }, { own, source, isDry })));
  }
  return applied;
}

const nothing: SetDown = { source: "", owners: [], schedules: {} };

interface Applying {
  own: readonly (readonly [name: string, one: One])[];
  source: string;
  isDry: boolean;
}

/** One owner's, each by its key. */
async function applyTo(context: Context, applying: Applying): Promise<readonly Applied[]> {
  const steps = await planned(context, applying);
  if (applying.isDry) return steps;
  const applied: Applied[] = [];
  for (const step of steps) applied.push(await done(step, context, applying));
  return applied;
}

/** Another node may do the same, or somebody may be at work on it: then it is looked at again. */
async function done(step: Applied, context: Context, applying: Applying): Promise<Applied> {
  let now = step;
  for (let round = 1; ; round += 1) {
    try {
      await write(now, context);
      return now;
    } catch (error) {
      if (!isPassing(error) || round >= triesMax) throw refusal(error, now, context);
      const found = (await planned(context, applying)).find(({ key }) => key === step.key);
      if (found === undefined) return step; // it was taken away in the meantime
      now = found;
    }
  }
}

async function planned(context: Context, { own, source }: Applying): Promise<readonly Applied[]> {
  const { owner } = context;
  const prefix = `${source}:`;
  const all = await schedulesIn(bookOf(context), { live: true });
  const live = all.filter(({ body }) => body.declared?.startsWith(prefix));
  const secrets = new Map<string, string>();
  const declared: Declared[] = [];
  for (const [name, one] of own) {
    const read = await declaredFrom(prefix + name, { name, one, live, context });
    if (read.secret !== undefined) secrets.set(read.key, read.secret);
    declared.push(read);
  }
  return planDeclared(declared, live, makingIn(context)).map((step) => {
    const secret = step.what === "create" ? secrets.get(step.key) : undefined;
    const key = step.key.slice(prefix.length);
    return { ...step, key, owner, ...(secret === undefined ? {} : { secret }) };
  });
}

function makingIn(context: Context): Parameters<typeof makeSchedule>[1] {
  const { owner, minGapMs, schedulesMax: limit = schedulesMaxDefault } = context;
  const gap = minGapMs === undefined ? {} : { minGapMs };
  return { owner, now: context.now(), limit, ...gap };
}

interface Found {
  name: string;
  one: One;
  live: Schedules;
  context: Context;
}

async function declaredFrom(
  key: string,
  { name, one, live, context }: Found,
): Promise<Declared & { secret?: string }> {
  try {
    const before = live.find(({ body }) => body.declared === key)?.body.run;
    const { owner: _, when, timezone, run, target, timeout, adopt, ...same } = one;
    const { cadence, whenText } = whenNeeded({ when }, lookOf(context, timezone));
    const ran = await runnable(run, context, before);
    const route = await routed(target, context);
    const timeoutMs = timeoutOf(timeout, ran.timeoutMs);
    const what = { name, cadence, whenText, run: ran.run, timeoutMs };
    const body: Body = { ...same, ...what, target: route.target, origin: null };
    makeSchedule(body, makingIn(context)); // what cannot be made is told of by its name
    return { key, body, adopt, ...(ran.secret === undefined ? {} : { secret: ran.secret }) };
  } catch (error) {
    throw at(name, error);
  }
}

async function write(step: Step, context: Context): Promise<void> {
  const book = bookOf(context);
  if (step.what === "create") await book.append(step.draft);
  if (step.what === "change" || step.what === "remove") await book.edit(step.edit);
}

function isPassing(error: unknown): boolean {
  return hasCode(error, "stale") || hasCode(error, "leased") || hasCode(error, "held");
}

function refusal(error: unknown, { key }: Step, { schedulesMax }: Context): unknown {
  return at(key, told(error, { name: key, limit: schedulesMax ?? schedulesMaxDefault }));
}

/** Says which one it is about. */
function at(name: string, error: unknown): unknown {
  if (!(error instanceof DaybookError)) return error;
  const { code, message, details } = error;
  return new DaybookError(code, `schedules.${name}: ${message}`, { cause: error, details });
}
