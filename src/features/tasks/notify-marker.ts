import { present, type Json } from "../../platform/json.ts";
import type { NotifyPolicy } from "./kind.ts";
import type { Choice, RunOutput, RunResult } from "./outcome.ts";

/** Removes the marker from the output of a run; errors are not passed through it. */
interface MarkerReader {
  /** Returns the part that may be written now. */
  pass(text: string): string;
  /** Returns the part that was held back to the end. */
  rest(): string;
  /** Whether there was a marker, and the decision of the run. */
  result(): Pick<RunOutput, "isMarked" | "choice">;
}

/** The most white space before the marker that is held back. */
const heldUnitsMax = 64 * 1024;

/** Holds the start back until it is clear whether it is the marker. A decision has at most so many units. */
export function markerReader(choiceUnitsMax: number): MarkerReader {
  let held = "";
  let seen = "";
  let stage: "start" | "after marker" | "passing" = "start";
  let isMarked = false;
  const pass = (text: string): string => {
    if (stage === "passing") return text;
    if (stage === "after marker") {
      const trimmed = text.trimStart();
      if (trimmed !== "") stage = "passing";
      return trimmed;
    }
    held += text;
    const trimmed = held.trimStart();
    if (trimmed.startsWith(notifyMarker)) {
      stage = "after marker";
      isMarked = true;
      return pass(trimmed.slice(notifyMarker.length));
    }
    if (notifyMarker.startsWith(trimmed) && held.length <= heldUnitsMax) return "";
    stage = "passing";
    return held;
  };
  return {
    pass(text) {
      // One unit more than the limit shows that the text is too long for a decision.
      seen += text.slice(0, choiceUnitsMax + 1 - seen.length);
      return pass(text);
    },
    rest() {
      const rest = stage === "start" ? held : "";
      stage = "passing";
      return rest;
    },
    result() {
      const choice = isMarked || seen.length > choiceUnitsMax ? undefined : choiceIn(seen);
      return present({ isMarked, choice });
    },
  };
}

/** The result of a completed run. */
export type Completed = Pick<
  RunResult & { result: "completed" },
  "said" | "returned" | "nothingToDo"
>;

/** The start of an output that is sent, if the policy is conditional. */
export const notifyMarker = "[NOTIFY]";

/** Removes the marker from the start, if there is one. */
export function readMarker(text: string): { text: string; isMarked: boolean } {
  const trimmed = text.trimStart();
  if (!trimmed.startsWith(notifyMarker)) return { text, isMarked: false };
  return { text: trimmed.slice(notifyMarker.length).trimStart(), isMarked: true };
}

/** The decision in a text, which may stand in a Markdown block, as models often write it. */
export function choiceIn(text: string): Choice | undefined {
  const plain = text.trim();
  const [, inner = plain] = /^```(?:json)?([^]*)```$/i.exec(plain) ?? [];
  try {
    return structured(JSON.parse(inner) as Json);
  } catch {
    return undefined;
  }
}

/** The message and the result of a run, and whether it asks to be sent. A conditional policy removes the marker. */
export function withoutMarker(
  policy: NotifyPolicy | undefined,
  { said, returned = null }: Completed,
  output: RunOutput,
): { message: string; result: Json; isMarked: boolean } {
  const answer = structured(returned);
  if (policy !== "conditional") {
    return { message: answer?.message ?? said ?? output.text, result: returned, isMarked: false };
  }
  const result = typeof returned === "string" ? readMarker(returned).text : returned;
  const choice = answer ?? (said === undefined ? output.choice : choiceIn(said));
  const message = choice?.message ?? said;
  const { text, isMarked } = message === undefined ? output : readMarker(message);
  return { message: text, result, isMarked: choice?.notify ?? isMarked };
}

/** The decision in plain data; undefined if it is not one. */
function structured(returned: Json): Choice | undefined {
  if (typeof returned !== "object" || returned === null || Array.isArray(returned)) {
    return undefined;
  }
  const { notify, message } = returned as { notify?: Json; message?: Json };
  return typeof notify === "boolean" && typeof message === "string"
    ? { notify, message }
    : undefined;
}
