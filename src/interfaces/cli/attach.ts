import type { Reader } from "../../kernel/operation.ts";
import { backoffMs } from "../../platform/backoff.ts";
import { sleep } from "../../platform/clock.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import { fraction } from "../../platform/random.ts";
import { harmless } from "../../platform/text.ts";
import { inWords, span } from "../../time/times.ts";
import { exitOf, exits, type CliPorts, type Command, type Reached } from "./command.ts";
import { input } from "./inputs.ts";
import { type MessageFrame, listen, type Heard, type Listener } from "./listener.ts";
import { paint } from "./terminal-text.ts";
import { textsOf } from "./texts.ts";

const backoff = { firstMs: 500, factor: 2, maxMs: 15_000 };
/** After so long without a message nothing more is expected to be waiting. */
const quietMs = 3_000;
/** A daemon that hangs must not keep us from leaving. */
const goodbyeMs = 2_000;
const rememberedMax = 1_000;

export const attach: Command = {
  name: "attach",
  summary: "A live inbox in this terminal.",
  inputs: [
    input("--once", "leave when all that waits was shown", { kind: "switch" }),
    input("--session", "hear what is for this session alone; DAYBOOK_SESSION unless told"),
  ],
  hasJson: true,
  async run({ input, json }, ports) {
    const signal = ports.interrupts();
    const reader = await ports.reader();
    const show = shower(ports, json, reader);
    const { session } = input;
    const about = { show, signal, once: input["once"] === true, session, reader };
    for (let tries = 1, wasIn = false; !signal.aborted; tries += 1) {
      const daemon = await ports.daemon();
      if (daemon === undefined && !wasIn) throw noDaemon();
      const heard = daemon === undefined ? "nobody" : await hear(daemon, ports, about);
      if (heard === "left") break;
      if (heard !== "nobody" && heard.opened) [tries, wasIn] = [1, true];
      const why = heard === "nobody" ? undefined : endOf(heard, wasIn, daemon);
      if (why !== undefined) throw why;
      await rest(tries, ports, about);
    }
    return exits.done;
  },
};

interface About {
  show(message: MessageFrame): Promise<void>;
  readonly signal: AbortSignal;
  readonly once: boolean;
  readonly session: unknown;
  readonly reader: Reader;
}

/** Hears until the connection ends, or until we leave. */
async function hear(daemon: Reached, ports: CliPorts, about: About): Promise<Heard | "left"> {
  const url = new URL("/v1/attach", daemon.url);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  const { session = daemon.session } = about;
  if (typeof session === "string") url.searchParams.set("session", session);
  const socket = ports.connect(url.href, ["daybook", `bearer.${daemon.token}`]);
  const left = Promise.withResolvers<"left">();
  const stops: (() => void)[] = [];
  let hasLeft = false;
  const leave = (): void => {
    if (hasLeft) return;
    hasLeft = true;
    socket.close(1000);
    stops.push(ports.clock.after(goodbyeMs, () => left.resolve("left")));
  };
  const watch = quietWatch(ports, about, leave);
  const hearing = listen(socket, watch.listener);
  about.signal.addEventListener("abort", leave, { once: true });
  if (about.signal.aborted) leave(); // it came while we looked for the daemon
  try {
    const heard = await Promise.race([hearing, left.promise]);
    return hasLeft ? "left" : heard;
  } finally {
    about.signal.removeEventListener("abort", leave);
    watch.stop();
    for (const stop of stops) stop();
  }
}

/** Shows what comes; with `once`, leaves when all that waited was shown or nothing more comes. */
function quietWatch(
  ports: CliPorts,
  { show, once, reader }: About,
  leave: () => void,
): { listener: Listener; stop(): void } {
  let expected = Infinity;
  let shown = 0;
  let stop = (): void => undefined;
  const look = (): void => {
    stop();
    if (!once) return;
    if (shown >= expected) leave();
    else stop = ports.clock.after(quietMs, leave);
  };
  const listener: Listener = {
    hello({ session, waiting }) {
      expected = waiting ?? Infinity;
      ports.err(textsOf(reader.language).attached(session, waiting));
      look();
    },
    show,
    acked() {
      shown += 1;
      look();
    },
  };
  return { listener, stop: () => stop() };
}

/** A message that comes again because its acknowledgement was lost is not shown again. */
function shower(ports: CliPorts, json: boolean, reader: Reader): About["show"] {
  const seen = new Set<string>();
  return async (frame) => {
    if (seen.has(frame.id)) return;
    await ports.show(json ? JSON.stringify(frame.data) : line(frame, ports, reader)).catch(closed);
    seen.add(frame.id);
    const [oldest] = seen;
    if (seen.size > rememberedMax && oldest !== undefined) seen.delete(oldest);
  };
}

/** Not acknowledged, so it comes again to whoever attaches next. */
function closed(cause: unknown): never {
  const sentence = `The output cannot be written: ${messageOf(cause)}. What was not shown stays.`;
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

/** Why it is no use to try again; nothing when it is. */
function endOf(
  heard: Heard,
  wasIn: boolean,
  daemon: Reached | undefined,
): DaybookError | undefined {
  const { refusal } = heard;
  if (refusal !== undefined && exitOf[refusal.code] !== exits.unreachable) return refusal;
  return wasIn ? undefined : notLetIn(daemon);
}

async function rest(tries: number, ports: CliPorts, { reader, signal }: About): Promise<void> {
  const ms = backoffMs(backoff, tries, fraction(ports.random));
  const { language } = reader;
  ports.err(textsOf(language).reconnecting(span(Math.max(ms, 1_000), language)));
  await sleep(ports.clock, ms, signal);
}

function noDaemon(): DaybookError {
  return new DaybookError("unavailable", "No daemon runs here: start one with daybook start.");
}

/** A socket that is not let in says no more than that. */
function notLetIn(daemon: Reached | undefined): DaybookError {
  const sentence = `The daemon at ${daemon?.url} did not let this terminal in: see whether it runs with daybook status, and whether the token in ${daemon?.tokenFile} is valid.`;
  return new DaybookError("unavailable", sentence, { details: { url: daemon?.url } });
}
