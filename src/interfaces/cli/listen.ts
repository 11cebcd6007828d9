import { DaybookError, type ErrorCode } from "../../platform/errors.ts";
import { exitOf, type Socket } from "./command.ts";
import { readFrame, type MessageFrame } from "./frame.ts";

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
