import { DaybookError, type ErrorCode } from "../../platform/errors.ts";
import { exitOf, type Socket } from "./command.ts";

export interface Listener {
  hello(facts: { session: string; waiting: number | null }): void;
  /** Resolves when the message was shown; only then is it acknowledged. */
  show(message: MessageFrame): Promise<void>;
  acked(): void;
}

export interface Heard {
  /** Whether it was ever let in. */
  readonly opened: boolean;
  /** Why the server turned it away; nothing when the connection just ended. */
  readonly refusal: DaybookError | undefined;
}

/** The server says this when the token no longer holds, or what was sent is wrong. */
const refusedCode = 1008;

/** Hears one socket to its end. Throws what `show` throws: the rest of the messages are not taken. */
export async function listen(socket: Socket, listener: Listener): Promise<Heard> {
  const ended = Promise.withResolvers<Heard>();
  let opened = false;
  let refusal: DaybookError | undefined;
  // One after the other: a message is acknowledged when it and those before it were shown.
  let turn = Promise.resolve();
  const take = async (data: unknown): Promise<void> => {
    const frame = readFrame(data);
    if (frame?.type === "hello") listener.hello(frame);
    if (frame?.type === "problem") refusal = new DaybookError(codeOf(frame.code), frame.detail);
    if (frame?.type !== "message") return;
    await listener.show(frame);
    socket.send(JSON.stringify({ type: "ack", id: frame.id }));
    listener.acked();
  };
  socket.addEventListener("open", () => (opened = true));
  socket.addEventListener("message", ({ data }) => {
    turn = turn.then(() => take(data));
    turn.catch((error: unknown) => {
      ended.reject(error);
      socket.close();
    });
  });
  socket.addEventListener("error", () => undefined); // a close follows, which says more
  socket.addEventListener("close", ({ code, reason }) => {
    const end = (): void => {
      const why = code === refusedCode ? (refusal ?? turnedAway(reason)) : undefined;
      ended.resolve({ opened, refusal: why });
    };
    void turn.then(end, () => undefined); // what failed was told already
  });
  return ended.promise;
}

function codeOf(code: string): ErrorCode {
  return Object.hasOwn(exitOf, code) ? (code as ErrorCode) : "unavailable";
}

function turnedAway(reason: string): DaybookError {
  const sentence = "The daemon ended this session: its token may not listen any more.";
  return new DaybookError("refused", sentence, { details: { reason } });
}

/** What the daemon says to a listener. */
type Frame = HelloFrame | MessageFrame | ProblemFrame;

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
function readFrame(data: unknown): Frame | undefined {
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
