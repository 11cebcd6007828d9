import { sleep } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import { resultPage } from "../../platform/html-page.ts";
import {
  exits,
  type CliPorts,
  type CommandEntry,
  type OperationEntry,
  type Run,
} from "./command.ts";
import { operationIn } from "./find.ts";
import { operationRun } from "./operation-command.ts";
import { textsOf } from "./texts.ts";

/** A person must have allowed it by then: what was begun is not valid any longer. */
const waitMs = 10 * 60_000;

/**
 * Begins a connection, sends the person's browser there, and waits until it comes back to a listener of this command: a
 * daemon may be on another machine, or may not run at all.
 */
export function connectRun(entry: CommandEntry, operation: OperationEntry): Run {
  return async (typed, ports) => {
    const { input, json } = typed;
    if (input["kind"] !== "google") return operationRun(entry, operation)(typed, ports);
    const { no_browser: isSilent, ...asked } = input;
    const texts = textsOf((await ports.reader()).language);
    const listener = await ports.listenForBrowser();
    try {
      const given = { redirect_uri: listener.url, ...asked };
      const { output } = await ports.ask(operation, given, "json");
      const { url, redirect_uri: comesTo } = output as { url: string; redirect_uri: string }; // the operation's own answer
      ports.err(texts.openInBrowser(url));
      if (comesTo !== listener.url) return exits.done; // the browser comes back elsewhere
      if (isSilent !== true) ports.openBrowser(url);
      ports.err(texts.waitsForBrowser());
      const text = await finish(await awaited(listener, url, ports), json, ports);
      ports.out(text);
      return exits.done;
    } finally {
      await listener.close();
    }
  };
}

type Listener = Awaited<ReturnType<CliPorts["listenForBrowser"]>>;
type Arrival = Awaited<ReturnType<Listener["arrival"]>>;

async function awaited(listener: Listener, page: string, ports: CliPorts): Promise<Arrival> {
  const stop = new AbortController();
  const interrupted = ports.interrupts();
  const signal = AbortSignal.any([stop.signal, interrupted]);
  try {
    const late = sleep(ports.clock, waitMs, signal).then(() => undefined);
    const state = URL.parse(page)?.searchParams.get("state") ?? "";
    const arrival = await Promise.race([listener.arrival(state), late]);
    if (arrival !== undefined) return arrival;
  } finally {
    stop.abort();
  }
  throw new DaybookError(
    "unavailable",
    "Nobody has allowed the access in a browser: run daybook calendar connect google again.",
  );
}

/** The browser and the terminal get the same answer. */
async function finish(
  { address, language, answer }: Arrival,
  json: boolean,
  ports: CliPorts,
): Promise<string> {
  const operation = operationIn(ports.commands, "finish_calendar");
  const { columns, color } = ports;
  try {
    const { text } = await ports.ask(operation, { address }, json ? "json" : { columns, color });
    const shown = json ? textsOf(language).browserDone() : text;
    await answer(resultPage(language, { status: 200, text: shown }));
    return text;
  } catch (error) {
    if (error instanceof DaybookError) {
      const translate = await ports.errorsIn(language);
      await answer(resultPage(language, { status: 400, text: translate(error.message) }));
    }
    throw error;
  }
}
