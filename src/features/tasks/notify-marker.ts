import type { Json } from "../../platform/json.ts";
import type { NotifyPolicy } from "./kind.ts";
import type { RunOutput, Choice } from "./outcome.ts";

/** Takes the marker off a run's output, errors aside. */
interface MarkerReader {
  /** The part that may be written now. */
  pass(text: string): string;
  /** The part held back to the end. */
  rest(): string;
  /** What was found. */
  result(): Pick<RunOutput, "isMarked" | "choice">;
}

/** More white space than this before the marker is not waited through. */
const heldUnitsMax = 64 * 1024;

/** Holds the beginning back until it is clear whether it is the marker; a choice is looked for in so many units. */
export function markerReader(choiceUnitsMax: number): MarkerReader {
  let held = "";
  let seen = "";
  let stage: "beginning" | "after the marker" | "through" = "beginning";
  let isMarked = false;
  const pass = (text: string): string => {
    if (stage === "through") return text;
    if (stage === "after the marker") {
      const begun = text.trimStart();
      if (begun !== "") stage = "through";
      return begun;
    }
    held += text;
    const begun = held.trimStart();
    if (begun.startsWith(notifyMarker)) {
      stage = "after the marker";
      isMarked = true;
      return pass(begun.slice(notifyMarker.length));
    }
    if (notifyMarker.startsWith(begun) && held.length <= heldUnitsMax) return "";
    stage = "through";
    return held;
  };
  return {
    pass(text) {
      // One more than is looked at: what is longer is no choice.
      seen += text.slice(0, choiceUnitsMax + 1 - seen.length);
      return pass(text);
    },
    rest() {
      const rest = stage === "beginning" ? held : "";
      stage = "through";
      return rest;
    },
    result() {
      const choice = isMarked || seen.length > choiceUnitsMax ? undefined : choiceIn(seen);
      return { isMarked, ...(choice === undefined ? {} : { choice }) };
    },
  };
}

/** The end of a run that completed. */
export interface Completed {
  readonly said?: string;
  readonly returned?: Json;
  readonly nothingToDo?: string;
}

/** The output of a run whose policy is conditional begins with this when it is to be sent. */
export const notifyMarker = "[NOTIFY]";

/** Takes the marker off the beginning, if it is there. */
export function readMarker(text: string): { text: string; isMarked: boolean } {
  const begun = text.trimStart();
  if (!begun.startsWith(notifyMarker)) return { text, isMarked: false };
  return { text: begun.slice(notifyMarker.length).trimStart(), isMarked: true };
}

/** The choice that a text is, as it stands or in a block of JSON: models like to answer in one. */
export function choiceIn(text: string): Choice | undefined {
  const plain = text.trim();
  const [, inner = plain] = /^```(?:json)?([^]*)```$/i.exec(plain) ?? [];
  try {
    return structured(JSON.parse(inner) as Json);
  } catch {
    return undefined;
  }
}

/** The message of a run, its result, and whether it is to be sent: without the marker where the policy has one. */
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

/** A choice in plain data, if a run returned one. */
function structured(returned: Json): Choice | undefined {
  if (typeof returned !== "object" || returned === null || Array.isArray(returned)) {
    return undefined;
  }
  const { notify, message } = returned as { notify?: Json; message?: Json };
  return typeof notify === "boolean" && typeof message === "string"
    ? { notify, message }
    : undefined;
}
