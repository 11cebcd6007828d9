import { createHash } from "node:crypto";
import { bookOf, recordOf } from "../../kernel/book.ts";
import { scopedName, slots, slotsMax } from "../../kernel/holds.ts";
import type { Context } from "../../kernel/operation.ts";
import type { Hold } from "../../kernel/unit.ts";
import { DaybookError, hasCode } from "../../platform/errors.ts";
import { canonical } from "../../platform/json.ts";
import { dayOf } from "../../time/zone.ts";
import { type RunSpec, taskKind } from "../tasks/index.ts";
import { type MadeByRun, scheduleKind } from "./kind.ts";

const depthMax = 3;
/** Live schedules that one run, and the runs of one day, may have created. */
const madeInRunMax = 5;
const madeInDayMax = 20;

/** The run that the caller works for; undefined: a person or a program asks. Refuses what is too deep. */
export async function madeIn(context: Context): Promise<MadeByRun | undefined> {
  const { run, profile } = context;
  if (run === undefined) return undefined;
  const book = bookOf(context);
  const schedule = (await recordOf(book, taskKind, run))?.body.slot?.schedule ?? null;
  const parent = schedule === null ? undefined : await recordOf(book, scheduleKind, schedule);
  const depth = (parent?.body.madeBy?.depth ?? 0) + 1;
  if (depth > depthMax) {
    const sentence = `A schedule that a run creates may create others only ${depthMax} deep, and this one would be at depth ${depth}: do the work in this run, or tell the person what to schedule.`;
    throw new DaybookError("refused", sentence, { details: { depth, limit: depthMax } });
  }
  return { run, schedule, depth, day: dayOf(context.now(), profile.zone) };
}

/** The names that a schedule of a run holds: the same prompt under the same parent is one schedule. */
export function madeHolds(
  owner: string,
  { madeBy, run }: { readonly madeBy?: MadeByRun | undefined; readonly run: RunSpec },
  isEdit = false,
): readonly Hold[] {
  if (madeBy === undefined) return [];
  const most = (limit: number): number => (isEdit ? slotsMax : limit);
  const prompt = createHash("sha256").update(canonical(run)).digest("hex").slice(0, 40);
  return [
    `schedule-made:${madeBy.schedule ?? madeBy.run}:${prompt}`,
    slots(`made-in-run:${madeBy.run}`, most(madeInRunMax)),
    slots(scopedName("made-in-day:", owner, madeBy.day), most(madeInDayMax)),
  ];
}

/** The schedule with the same prompt under the same parent, if that is why the request was refused. */
export function sameUnderParent(error: unknown): string | undefined {
  if (!hasCode(error, "held") || !nameIn(error).startsWith("schedule-made:")) return undefined;
  const { holder } = error.details;
  return typeof holder === "string" ? holder : undefined;
}

/** Explains a refusal because a run, or the runs of a day, created too many. */
export function madeRefusal(error: unknown): unknown {
  if (!hasCode(error, "held")) return error;
  const toDo = "do the work in this run, or delete one of them first";
  const refuse = (sentence: string, limit: number): DaybookError =>
    new DaybookError("held", sentence, { cause: error, details: { limit } });
  if (nameIn(error).startsWith("made-in-run:")) {
    const sentence = `This run has created ${madeInRunMax} schedules, which is the limit: ${toDo}.`;
    return refuse(sentence, madeInRunMax);
  }
  if (!nameIn(error).startsWith("made-in-day:")) return error;
  const sentence = `The runs of today have created ${madeInDayMax} schedules, which is the limit: ${toDo}.`;
  return refuse(sentence, madeInDayMax);
}

function nameIn({ details }: DaybookError): string {
  return String(details["name"]);
}
