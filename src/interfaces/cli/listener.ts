import { DaybookError, type ErrorCode } from "../../platform/errors.ts";
import { exitOf, type Socket } from "./command.ts";

export interface Listener {
  hello(facts: { session: string; waiting: number | null }): void;
  /** Resolves when the message was shown; only then is it acknowledged. */
  show(message: MessageFrame): Promise<void>;
  acked(): void;
}

export interface ListenEnd {
  /** Whether the server ever accepted the socket. */
  readonly opened: boolean;
  /** Why the server refused it; undefined when the connection just ended. */
  readonly refusal: DaybookError | undefined;
}

/** The close code for a token that is no longer valid, or a malformed frame. */
const refusedCode = 1008;

/** Shows the messages of one socket until it closes. Throws what `show` throws: the remaining messages are not acknowledged. */
export async function listen(socket: Socket, listener: Listener): Promise<ListenEnd> {
  const ended = Promise.withResolvers<ListenEnd>();
  let opened = false;
  let refusal: DaybookError | undefined;
  // In order: a message is acknowledged once it and those before it were shown.
  let queue = Promise.resolve();
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
    queue = queue.then(() => take(data));
    queue.catch((error: unknown) => {
      ended.reject(error);
      socket.close();
    });
  });
  socket.addEventListener("error", () => undefined); // a close event with the reason follows
  socket.addEventListener("close", ({ code, reason }) => {
    const end = (): void => {
      const isRefused = code === refusedCode;
      ended.resolve({ opened, refusal: isRefused ? (refusal ?? refused(reason)) : undefined });
    };
    void queue.then(end, () => undefined); // rejected above
  });
  return ended.promise;
}

function codeOf(code: string): ErrorCode {
  return Object.hasOwn(exitOf, code) ? (code as ErrorCode) : "unavailable";
}

function refused(reason: string): DaybookError {
  const sentence = "The daemon ended this session: its token may not listen any more.";
  return new DaybookError("refused", sentence, { details: { reason } });
}

/** What the daemon sends to a listener. */
type Frame = HelloFrame | MessageFrame | ProblemFrame;

interface HelloFrame {
  readonly type: "hello";
  readonly session: string;
  /** Null when it was not counted. */
  readonly waiting: number | null;
}

export interface MessageFrame {
  readonly type: "message";
  readonly id: string;
  readonly message: string;
  /** When it was due; null when that cannot be read. */
  readonly at: number | null;
  readonly maybeRepeat: boolean;
  /** The frame as received. */
  readonly data: Readonly<Record<string, unknown>>;
}

interface ProblemFrame {
  readonly type: "problem";
  readonly code: string;
  readonly detail: string;
}

/** Undefined for an unknown frame: a newer daemon may send more types. */
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
