import { DaybookError, hasCode } from "../../base/errors.ts";
import type { Book } from "../../ledger/ledger.ts";
import { readProfile } from "../../ledger/profiles.ts";
import { planDeclared, type Declared, type Step } from "../../rules/declare.ts";
import { makeSchedule, type ScheduleKind } from "../../rules/schedule.ts";
import type { Hold } from "../../rules/unit.ts";
import type { Desk } from "../ask.ts";
import { lookOf } from "../notification-view.ts";
import type { Context } from "../operation.ts";
import { bookOf } from "../own-book.ts";
import { routed } from "../target.ts";
import { whenNeeded } from "./asked-when.ts";
import { schedulesIn } from "./find-schedule.ts";
import type { AskedRun } from "./inputs.ts";
import { makingIn } from "./making.ts";
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

const triesMax = 30;

/** Makes the books as it is set down, one owner's after the other. */
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

/** One owner's, each by its key, in one unit: all of it is so, or none. */
async function applyTo(context: Context, applying: Applying): Promise<readonly Applied[]> {
  for (let round = 1; ; round += 1) {
    const steps = await planned(context, applying);
    if (applying.isDry) return steps;
    try {
      await write(steps, bookOf(context));
      return steps;
    } catch (error) {
      // Another node may do the same, or somebody may be at work on one: then all is looked at again.
      if (!isPassing(error) || round >= triesMax) throw refusal(error, steps, context);
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
  return planDeclared(declared, live, makingIn(context, context.now())).map((step) => {
    const secret = step.what === "create" ? secrets.get(step.key) : undefined;
    const key = step.key.slice(prefix.length);
    return { ...step, key, owner, ...(secret === undefined ? {} : { secret }) };
  });
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
    makeSchedule(body, makingIn(context, context.now())); // what cannot be made is told of by its name
    return { key, body, adopt, ...(ran.secret === undefined ? {} : { secret: ran.secret }) };
  } catch (error) {
    throw at(name, error);
  }
}

async function write(steps: readonly Step[], book: Book): Promise<void> {
  // None follows from another, so none is another's child.
  const append = steps.flatMap((step) =>
    step.what === "create" ? [{ ...step.draft, parent: null }] : [],
  );
  const edit = steps.flatMap((step) => ("edit" in step ? [step.edit] : []));
  const [made, ...others] = append;
  const [changed, ...rest] = edit;
  if (made !== undefined) await book.append(made, { append: others, edit });
  else if (changed !== undefined) await book.edit(changed, { edit: rest });
}

function isPassing(error: unknown): boolean {
  return hasCode(error, "stale") || hasCode(error, "leased") || hasCode(error, "held");
}

function refusal(error: unknown, steps: readonly Step[], context: Context): unknown {
  const { limit } = makingIn(context, context.now());
  const key = steps.find((step) => isAbout(step, error))?.key;
  return at(key, told(error, { name: key ?? "", limit }));
}

/** Whether this one was refused: by the name it would take, or by its id. */
function isAbout(step: Step, error: unknown): boolean {
  if (!(error instanceof DaybookError)) return false;
  const { name, id } = error.details;
  if ("edit" in step) return step.edit.id === id || isHeld(step.edit.holds, name);
  return "draft" in step && isHeld(step.draft.holds, name);
}

function isHeld(holds: readonly Hold[] | undefined, name: unknown): boolean {
  return holds?.some((hold) => hold === name) === true;
}

/** Says which one it is about. */
function at(name: string | undefined, error: unknown): unknown {
  if (!(error instanceof DaybookError)) return error;
  const { code, message, details } = error;
  const which = name === undefined ? "schedules" : `schedules.${name}`;
  return new DaybookError(code, `${which}: ${message}`, { cause: error, details });
}
