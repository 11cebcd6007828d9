import { bookOf } from "../../../kernel/book.ts";
import type { Context } from "../../../kernel/operation.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { present } from "../../../platform/json.ts";
import { quote } from "../../../platform/text.ts";
import { workspaceLimitOf } from "../holds.ts";
import { desiredOf } from "../plan.ts";
import { workspacesOf } from "../ports.ts";
import { workspacesIn, type Workspace } from "./find-workspace.ts";

/** The error of a taken name or a full limit, with advice. Other errors stay. */
export async function refusalOf(error: unknown, name: string, context: Context): Promise<unknown> {
  if (!hasCode(error, "held")) return error;
  const limit = workspaceLimitOf(error.details["name"]);
  if (limit !== undefined) return overLimit(limit, context, error);
  if (!isNameTaken(error)) return error;
  const { holder } = error.details;
  const id = typeof holder === "string" ? holder : undefined;
  const sentence = `There is already a workspace ${quote(name)}: choose another name.`;
  return new DaybookError("held", sentence, { cause: error, details: present({ name, id }) });
}

/** Another workspace of the book has the name. */
export function isNameTaken(error: unknown): error is DaybookError {
  return hasCode(error, "held") && String(error.details["name"]).startsWith("workspace:");
}

/** Workspaces of other owners are counted, and never named. */
async function overLimit(
  limit: "per_user" | "global",
  context: Context,
  cause: DaybookError,
): Promise<DaybookError> {
  const { perOwner, inAll } = workspacesOf(context).limits();
  const own = (await workspacesIn(bookOf(context))).filter(isToRun);
  const max = limit === "per_user" ? perOwner : inAll;
  const current = limit === "per_user" ? own.length : inAll;
  const running = own.map(({ id, body }) => ({ id, name: body.name }));
  const names = running.map(({ name }) => quote(name)).join(", ");
  const whose = limit === "per_user" ? "of yours" : "in all";
  const advice =
    names === ""
      ? "wait until one sleeps"
      : `archive one first (daybook workspace archive): ${names}`;
  const sentence = `Only ${max} workspaces ${whose} may run at once, and that many run or start: ${advice}.`;
  const details = { limit_type: limit, current, max, running_workspaces: running };
  return new DaybookError("held", sentence, { cause, details });
}

function isToRun({ state, body, outcome }: Workspace): boolean {
  return state === "running" || desiredOf(body, outcome) === "RUNNING";
}
