/** What the daemon says to a listener. */
export type Frame = HelloFrame | MessageFrame | ProblemFrame;

interface HelloFrame {
  readonly type: "hello";
  readonly session: string;
  /** Null: nobody counted. */
  readonly waiting: number | null;
}

export interface MessageFrame {
  readonly type: "message";
  readonly id: string;
  readonly message: string;
  /** When it was to be said; null when that cannot be read. */
  readonly at: number | null;
  readonly maybeRepeat: boolean;
  /** The frame as it came. */
  readonly data: Readonly<Record<string, unknown>>;
}

interface ProblemFrame {
  readonly type: "problem";
  readonly code: string;
  readonly detail: string;
}

/** Nothing for what we do not know: a newer daemon may say more. */
export function readFrame(data: unknown): Frame | undefined {
  const read = parsed(data);
  const text = (name: string): string => (typeof read[name] === "string" ? read[name] : "");
  switch (read["type"]) {
    case "hello": {
      const { waiting } = read;
      return {
        type: "hello",
        session: text("session"),
        waiting: typeof waiting === "number" ? waiting : null,
      };
    }
    case "message":
      if (text("id") === "") return undefined;
      return {
        type: "message",
        id: text("id"),
        message: text("message"),
        at: momentOf(read["at"]),
        maybeRepeat: read["maybe_repeat"] === true,
        data: read,
      };
    case "problem":
      return { type: "problem", code: text("code"), detail: text("detail") };
    default:
      return undefined;
  }
}

function parsed(data: unknown): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(String(data));
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function momentOf(at: unknown): number | null {
  if (typeof at === "number") return at;
  try {
    return Temporal.Instant.from(String(at)).epochMilliseconds;
  } catch {
    return null;
  }
}
