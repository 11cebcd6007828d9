import type { Context } from "../../../kernel/operation.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { present } from "../../../platform/json.ts";
import { quote } from "../../../platform/text.ts";
import { minGapMsDefault, type MakeFacts } from "../draft.ts";
import { scheduleLimits } from "../ports.ts";

/** Another schedule of the book has the name. */
export function isNameTaken(error: unknown): boolean {
  return hasCode(error, "held") && nameOf(error).startsWith("schedule-name:");
}

/** Explains a refusal because of a name or the limit of schedules. */
export function limitRefusal(
  error: unknown,
  { name, limit }: { name: string; limit: number },
): unknown {
  if (!hasCode(error, "held")) return error;
  const { holder } = error.details;
  const id = typeof holder === "string" ? holder : undefined;
  if (isNameTaken(error)) {
    const sentence = `A schedule named ${quote(name)} already exists: choose another name, or edit that one.`;
    return new DaybookError("held", sentence, { cause: error, details: present({ name, id }) });
  }
  if (nameOf(error).startsWith("schedule:")) {
    const sentence = `This book has ${limit} schedules, which is the limit: delete one first.`;
    return new DaybookError("held", sentence, { cause: error, details: { limit } });
  }
  return error;
}

/** Explains a refusal because another run of the schedule is live. */
export function overlapRefusal(error: unknown): unknown {
  if (!hasCode(error, "held") || !nameOf(error).startsWith("run:")) return error;
  const { holder } = error.details;
  const run = typeof holder === "string" ? holder : "";
  const sentence = `The schedule is running now, as ${run}: wait for that run to end, or cancel it first.`;
  return new DaybookError("held", sentence, { cause: error, details: { run_id: run } });
}

function nameOf({ details }: DaybookError): string {
  return String(details["name"]);
}

const schedulesMaxDefault = 50;

/** The facts and limits that a schedule of this caller is created with. */
export function factsIn(context: Context, now: number): Required<MakeFacts> {
  const { minGapMs = minGapMsDefault, schedulesMax = schedulesMaxDefault } =
    context.use(scheduleLimits);
  return { owner: context.owner, now, limit: schedulesMax, minGapMs };
}
