import { DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import { notify } from "./kind.ts";

/** "only if it rains", "비가 올 때만": the words that make the output of an agent conditional. */
const english = /\bonly (?:if|when|in case)\b/i;
const korean = /(?:때|경우에?|면)만(?=[\s.,!?]|$)/;

/** Whether a goal says when its result is to be sent. */
function hasCondition(goal: string): boolean {
  return english.test(goal) || korean.test(goal);
}

/** The condition at the end of a typed time, such as "every day 9am, only if it rains". */
function splitCondition(when: string): { when: string; condition: string } | undefined {
  const at = english.exec(when)?.index ?? koreanStart(when);
  if (at === undefined) return undefined;
  const time = when.slice(0, at).replace(/[\s,]+$/, "");
  return time === "" ? undefined : { when: time, condition: when.slice(at).trim() };
}

/** In Korean only its end is marked: it begins after the comma. */
function koreanStart(when: string): number | undefined {
  const comma = when.indexOf(",");
  return comma !== -1 && korean.test(when.slice(comma)) ? comma + 1 : undefined;
}

type Given = Readonly<Record<string, unknown>>;

/**
 * A time may have a condition: the agent gets it with its goal, and its output is sent only if the agent says so. A
 * command would have to judge it in words.
 */
export function withCondition(given: Given): Given {
  const { when, run, notify: policy } = given;
  const split = typeof when === "string" ? splitCondition(when) : undefined;
  if (split === undefined) return given;
  const { agent, ...rest } = (run ?? {}) as { readonly agent?: unknown };
  if (typeof agent !== "string") throw needsAgent(split.condition);
  const goal = `${agent}\n${split.condition}`;
  const all = { ...given, when: split.when, run: { ...rest, agent: goal } };
  return { ...all, notify: policy ?? "conditional" };
}

function needsAgent(condition: string): DaybookError {
  const sentence = `${quote(condition)} is a condition in words, which only an agent can judge: run an agent, or use --notify conditional and have the command begin its output with [NOTIFY].`;
  return new DaybookError("invalid", sentence, { details: { path: "when" } });
}

const notifyFlag = /(?:^|\s)(?:--|—|–)notify[ =](always|conditional|never)(?=\s|$)/i;

/** When the output is sent, of a text typed in a chat: its flag, else whether its goal has a condition. */
export function typedNotify(text: string): {
  text: string;
  notify: "always" | "conditional" | "never" | undefined;
} {
  const [flag, typed] = notifyFlag.exec(text) ?? [];
  if (flag === undefined) return { text, notify: hasCondition(text) ? "conditional" : undefined };
  return { text: text.replace(flag, "").trim(), notify: notify.parse(typed?.toLowerCase()) };
}
