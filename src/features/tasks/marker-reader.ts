import { choiceIn, notifyMarker } from "./notice.ts";
import type { RunOutput } from "./result.ts";

/** What a run says beside its errors, on its way into the output. */
interface MarkerTaker {
  /** What of it may go on. */
  pass(text: string): string;
  /** What was held back to the end. */
  rest(): string;
  /** Whether it is to be heard. */
  heard(): Pick<RunOutput, "isMarked" | "choice">;
}

/** More white space than this before the marker is not waited through. */
const heldUnitsMax = 64 * 1024;

/** Holds the beginning back until it is clear whether it is the marker; a choice is looked for in so many units. */
export function markerTaker(choiceUnitsMax: number): MarkerTaker {
  let held = "";
  let said = "";
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
      said += text.slice(0, choiceUnitsMax + 1 - said.length);
      return pass(text);
    },
    rest() {
      const rest = stage === "beginning" ? held : "";
      stage = "through";
      return rest;
    },
    heard() {
      const choice = isMarked || said.length > choiceUnitsMax ? undefined : choiceIn(said);
      return { isMarked, ...(choice === undefined ? {} : { choice }) };
    },
  };
}
