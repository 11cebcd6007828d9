import { withDeadline } from "../../platform/deadline.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import type { Passed } from "../../platform/pass-through.ts";
import { harmless } from "../../platform/text.ts";
import type { CliPorts, Command } from "./command.ts";
import { operationIn } from "./find.ts";
import { input } from "./inputs.ts";
import { textsOf } from "./texts.ts";

/** Says how a run goes; what goes wrong with that is never the run's concern. */
type Report = (what: "start" | Passed) => Promise<void>;

/** A daemon that does not answer must not hold up a job for longer. */
const reportMs = 10_000;
/** A character more than a watch keeps, so that it is seen that there was more. */
export const tailBytesMax = 64 * 1024 + 4;

export const wrap: Command = {
  name: "wrap",
  summary: "Run a program as it is, and report how it went to a watch.",
  inputs: [
    input("--watch", "the watch it reports to, by its name or id"),
    input("--ping", "the address it reports to instead, as `watch` showed it"),
    input("-- COMMAND", "the program and its words", { name: "command", kind: "rest" }),
  ],
  hasJson: false,
  async run({ input: { watch, ping, command } }, ports) {
    const words = Array.isArray(command) ? command.map(String) : [];
    if (words.length === 0) throw invalid("Say what to run after --, as in: -- ./backup.sh");
    if ((watch === undefined) === (ping === undefined)) {
      throw invalid("Say where to report: --watch NAME, or --ping URL.");
    }
    const report = patient(isText(watch) ? toWatch(watch, ports) : toUrl(ping, ports), ports);
    // The program does not wait for it.
    const begun = report("start");
    const passed = await ports.pass(words, tailBytesMax);
    if (passed.exit === 126 || passed.exit === 127) {
      ports.err(await noProgram(words[0], passed, ports));
    }
    await begun;
    await report(passed);
    return passed.exit;
  },
};

/** By the operation, which a daemon answers or the book itself. */
function toWatch(id: string, ports: CliPorts): Report {
  return async (what) => {
    const said = what === "start" ? { start: true } : { exit: what.exit, output: textOf(what) };
    await ports.ask(operationIn(ports.commands, "watch_ping"), { id, ...said }, "json");
  };
}

function toUrl(url: unknown, ports: CliPorts): Report {
  const base = isText(url) ? url.replace(/\/$/, "") : "";
  return async (what) => {
    if (what === "start") return ports.post(`${base}/start`, "");
    return ports.post(`${base}/${what.exit}`, textOf(what));
  };
}

/** Whole characters, and none that would be written six times as long. */
function textOf({ tail }: Passed): string {
  let from = 0;
  while (((tail[from] ?? 0) & 0xc0) === 0x80) from += 1;
  return harmless(new TextDecoder().decode(tail.subarray(from)));
}

function patient(report: Report, ports: CliPorts): Report {
  const { clock, err, reader } = ports;
  const { signal } = new AbortController();
  const said = new Set<string>();
  const tell = async (problem: string): Promise<void> => {
    if (said.has(problem)) return;
    said.add(problem);
    err(textsOf((await reader()).language).notReported(problem));
  };
  return async (what) => {
    try {
      const limits = { clock, timeoutMs: reportMs, graceMs: 0, signal };
      const told = await withDeadline(limits, () => report(what));
      if ("late" in told) await tell(told.late);
    } catch (error) {
      await tell(harmless(messageOf(error)));
    }
  };
}

async function noProgram(
  file: string | undefined,
  { exit }: Passed,
  { reader }: CliPorts,
): Promise<string> {
  return textsOf((await reader()).language).notRun(harmless(file ?? ""), exit === 127);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function invalid(sentence: string): DaybookError {
  return new DaybookError("invalid", sentence);
}
