import { progressText } from "../../features/tasks/index.ts";

const line = /^\s*\{\s*"progress"\s*:/;
/** The start of a line that may become one of progress. */
const start = /^\s*(\{\s*("(p(r(o(g(r(e(s(s("\s*(:.*)?)?)?)?)?)?)?)?)?)?)?)?$/;
const charsMax = 2_000;

/**
 * Takes lines like `{"progress": 0.4, "note": "3 of 5 files"}` out of a text in pieces, and reports them. Only what may
 * become such a line waits for its end.
 */
export function progressLines(
  report: (text: string) => void,
  pass: (text: string) => void,
): { add(text: string): void; end(): void } {
  let held = "";
  let isAtStart = true;
  /** The text without progress. */
  const rest = (text: string): string => {
    const progress = isAtStart ? progressIn(text) : undefined;
    isAtStart = true;
    if (progress === undefined) return text;
    report(progress);
    return "";
  };
  return {
    add(text) {
      const lines = `${held}${text}`.split("\n");
      held = lines.pop() ?? "";
      let output = lines.map((each) => rest(`${each}\n`)).join("");
      const mayBecome = isAtStart && held.length <= charsMax && start.test(held);
      if (!mayBecome) {
        isAtStart &&= held === "";
        output += held;
        held = "";
      }
      if (output !== "") pass(output);
    },
    end() {
      const output = held === "" ? "" : rest(held);
      held = "";
      if (output !== "") pass(output);
    },
  };
}

/** Undefined: the line is output. */
function progressIn(text: string): string | undefined {
  if (!line.test(text)) return undefined;
  try {
    const { progress, note } = JSON.parse(text) as { progress?: unknown; note?: unknown };
    if (typeof progress !== "number" && typeof progress !== "string") return undefined;
    return progressText(progress, typeof note === "string" ? note : undefined);
  } catch {
    return undefined;
  }
}
