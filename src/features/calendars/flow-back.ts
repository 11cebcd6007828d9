import { is } from "../../kernel/kind.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import type { Consequences } from "../../kernel/unit.ts";
import { isoOf } from "../../platform/iso-time.ts";
import { present } from "../../platform/json.ts";
import { changeOf, notificationKind, withdrawal } from "../notifications/index.ts";
import type { Edited } from "./edited.ts";
import type { Step } from "./plan.ts";
import { titleOf } from "./projection.ts";

interface Whose {
  readonly owner: string;
  readonly profile: { readonly zone: string };
  /** The name of the calendar in which it was changed. */
  readonly calendar: string;
}

/** Whether a change in the calendar can change the record: only notifications follow. */
export function canFlowBack(source: AnyRecord | undefined): boolean {
  return is(notificationKind, source) && source.endedAt === null && !source.cancelling;
}

/** The writes that a change in the calendar makes in the book, by the notifications' own rules; undefined: none. */
export function flowBack(
  source: AnyRecord | undefined,
  step: Step,
  whose: Whose,
): Consequences | undefined {
  if (!is(notificationKind, source)) return undefined;
  const isCancelled = step.do === "cancel" || (step.do === "take over" && step.edited.isEnded);
  if (isCancelled === true) {
    const { edit, ...rest } = withdrawal(source, `removed in the calendar ${whose.calendar}`);
    return { ...rest, edit: [edit] };
  }
  if (step.do !== "take over") return undefined;
  return { edit: [changeOf(source, rewriteOf(source.body.message, step.edited), whose)] };
}

function rewriteOf(message: string, { title, at, priority, context }: Edited) {
  return present({
    message: title === undefined ? undefined : withTitle(message, title),
    at,
    atText: at === undefined ? undefined : isoOf(at),
    priority,
    context,
  });
}

/** A new first line; the lines after it stay. A mirror's title is the whole message. */
function withTitle(message: string, title: string): string {
  const [, rest] = titleOf(message);
  const lines = message.trim().split(/\r?\n/).slice(1);
  return rest === "" || title.includes("\n") ? title : [title, ...lines].join("\n");
}
