import type { Reader } from "../../kernel/operation.ts";
import { backoffMs } from "../../platform/backoff.ts";
import { sleep } from "../../platform/clock.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import { fraction } from "../../platform/random.ts";
import { harmless } from "../../platform/text.ts";
import { inWords, span } from "../../time/times.ts";
import { exitOf, exits, type CliPorts, type Command, type LocalDaemon } from "./command.ts";
import { input } from "./inputs.ts";
import { type MessageFrame, listen, type ListenEnd, type Listener } from "./listener.ts";
import { paint } from "./terminal-text.ts";
import { textsOf } from "./texts.ts";

const backoff = { firstMs: 500, factor: 2, maxMs: 15_000 };
/** After this long without a message nothing more is expected. */
const quietMs = 3_000;
/** A daemon that hangs must not keep the command from ending. */
const closeTimeoutMs = 2_000;
const rememberedMax = 1_000;

export const attach: Command = {
  name: "attach",
  summary: "Receive messages in this terminal as they are sent.",
  inputs: [
    input("--once", "exit when all waiting messages were shown", { kind: "switch" }),
    input("--session", "the session to receive for. Default: DAYBOOK_SESSION"),
  ],
  hasJson: true,
  async run({ input, json }, ports) {
    const signal = ports.interrupts();
    const reader = await ports.reader();
    const show = printer(ports, json, reader);
    const { session } = input;
    const options = { show, signal, once: input["once"] === true, session, reader };
    for (let tries = 1, wasConnected = false; !signal.aborted; tries += 1) {
      const daemon = await ports.daemon();
      if (daemon === undefined && !wasConnected) throw noDaemon();
      const end = daemon === undefined ? "no daemon" : await connect(daemon, ports, options);
      if (end === "left") break;
      if (end !== "no daemon") {
        if (end.opened) [tries, wasConnected] = [1, true];
        const failure = failureOf(end, wasConnected, daemon);
        if (failure !== undefined) throw failure;
      }
      await waitToRetry(tries, ports, options);
    }
    return exits.done;
  },
};

interface Options {
  show(message: MessageFrame): Promise<void>;
  readonly signal: AbortSignal;
  readonly once: boolean;
  readonly session: unknown;
  readonly reader: Reader;
}

/** Listens until the connection ends or the command is interrupted. */
async function connect(
  daemon: LocalDaemon,
  ports: CliPorts,
  options: Options,
): Promise<ListenEnd | "left"> {
  const url = new URL("/v1/attach", daemon.url);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  const { session = daemon.session } = options;
  if (typeof session === "string") url.searchParams.set("session", session);
  const socket = ports.connect(url.href, ["daybook", `bearer.${daemon.token}`]);
  const left = Promise.withResolvers<"left">();
  const stops: (() => void)[] = [];
  let hasLeft = false;
  const leave = (): void => {
    if (hasLeft) return;
    hasLeft = true;
    socket.close(1000);
    stops.push(ports.clock.after(closeTimeoutMs, () => left.resolve("left")));
  };
  const counter = messageCounter(ports, options, leave);
  const listening = listen(socket, counter.listener);
  options.signal.addEventListener("abort", leave, { once: true });
  if (options.signal.aborted) leave(); // interrupted while looking for the daemon
  try {
    const end = await Promise.race([listening, left.promise]);
    return hasLeft ? "left" : end;
  } finally {
    options.signal.removeEventListener("abort", leave);
    counter.stop();
    for (const stop of stops) stop();
  }
}

/** With `once`, leaves when all waiting messages were shown, or when none came for a while. */
function messageCounter(
  ports: CliPorts,
  { show, once, reader }: Options,
  leave: () => void,
): { listener: Listener; stop(): void } {
  let expected = Infinity;
  let shown = 0;
  let stop = (): void => undefined;
  const update = (): void => {
    stop();
    if (!once) return;
    if (shown >= expected) leave();
    else stop = ports.clock.after(quietMs, leave);
  };
  const listener: Listener = {
    hello({ session, waiting }) {
      expected = waiting ?? Infinity;
      ports.err(textsOf(reader.language).attached(session, waiting));
      update();
    },
    show,
    acked() {
      shown += 1;
      update();
    },
  };
  return { listener, stop: () => stop() };
}

/** A message that is sent again because its acknowledgement was lost is not shown again. */
function printer(ports: CliPorts, json: boolean, reader: Reader): Options["show"] {
  const seen = new Set<string>();
  return async (frame) => {
    if (seen.has(frame.id)) return;
    await ports
      .show(json ? JSON.stringify(frame.data) : line(frame, ports, reader))
      .catch(failToPrint);
    seen.add(frame.id);
    const [oldest] = seen;
    if (seen.size > rememberedMax && oldest !== undefined) seen.delete(oldest);
  };
}

/** The message is not acknowledged, so the next listener receives it. */
function failToPrint(cause: unknown): never {
  const sentence = `The output cannot be written: ${messageOf(cause)}. Messages that were not shown are sent again.`;
  throw new DaybookError("unavailable", sentence, { cause });
}

function line(
  { message, at, maybeRepeat }: MessageFrame,
  ports: CliPorts,
  { language, zone }: Reader,
): string {
  const when = inWords(at ?? ports.clock.wall(), zone, language);
  const repeat = maybeRepeat ? ` ${textsOf(language).maybeRepeat}` : "";
  return `${paint(ports.color, "dim", when)}  ${harmless(message)}${repeat}`;
}

/** The failure that a retry would not change; undefined when a retry may help. */
function failureOf(
  end: ListenEnd,
  wasConnected: boolean,
  daemon: LocalDaemon | undefined,
): DaybookError | undefined {
  const { refusal } = end;
  if (refusal !== undefined && exitOf[refusal.code] !== exits.unreachable) return refusal;
  return wasConnected ? undefined : notAccepted(daemon);
}

async function waitToRetry(
  tries: number,
  ports: CliPorts,
  { reader, signal }: Options,
): Promise<void> {
  const ms = backoffMs(backoff, tries, fraction(ports.random));
  const { language } = reader;
  ports.err(textsOf(language).reconnecting(span(Math.max(ms, 1_000), language)));
  await sleep(ports.clock, ms, signal);
}

function noDaemon(): DaybookError {
  return new DaybookError("unavailable", "No daemon runs here: start one with daybook start.");
}

/** A refused WebSocket carries no reason. */
function notAccepted(daemon: LocalDaemon | undefined): DaybookError {
  const sentence = `The daemon at ${daemon?.url} refused the connection: check that it runs (daybook status), and that the token in ${daemon?.tokenFile} is valid.`;
  return new DaybookError("unavailable", sentence, { details: { url: daemon?.url } });
}
