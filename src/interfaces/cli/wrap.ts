import { withDeadline } from "../../platform/deadline.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import type { ForegroundEnd } from "../../platform/foreground-program.ts";
import { harmless } from "../../platform/text.ts";
import type { CliPorts, Command } from "./command.ts";
import { operationIn } from "./find.ts";
import { input } from "./inputs.ts";
import { textsOf } from "./texts.ts";

/** Reports the start or end of a run; a failure to report never fails the run. */
type Report = (event: "start" | ForegroundEnd) => Promise<void>;

/** How long a daemon that does not answer may delay the job. */
const reportMs = 10_000;
/** More than a watch keeps by one character, so that the watch sees that the output was cut. */
export const tailBytesMax = 64 * 1024 + 4;

export const wrap: Command = {
  name: "wrap",
  summary: "Run a program unchanged, and report its result to a watch.",
  inputs: [
    input("--watch", "the name or id of the watch to report to"),
    input("--ping", "the URL to report to instead, which `daybook watch` shows"),
    input("-- COMMAND", "the program and its arguments", { name: "command", kind: "rest" }),
  ],
  hasJson: false,
  async run({ input: { watch, ping, command } }, ports) {
    const words = Array.isArray(command) ? command.map(String) : [];
    if (words.length === 0)
      throw invalid(
        "The command is missing: write it after --, as in daybook wrap --watch backup -- ./backup.sh",
      );
    if ((watch === undefined) === (ping === undefined)) {
      throw invalid("Give either --watch NAME or --ping URL, to which the run is reported.");
    }
    const report = bounded(isText(watch) ? toWatch(watch, ports) : toUrl(ping, ports), ports);
    // The program does not wait for this report.
    const started = report("start");
    const passed = await ports.runProgram(words, tailBytesMax);
    if (passed.exit === 126 || passed.exit === 127) {
      ports.err(await noProgram(words[0], passed, ports));
    }
    await started;
    await report(passed);
    return passed.exit;
  },
};

/** Reports by the operation. */
function toWatch(id: string, ports: CliPorts): Report {
  return async (event) => {
    const input = event === "start" ? { start: true } : { exit: event.exit, output: textOf(event) };
    await ports.ask(operationIn(ports.commands, "ping_watch"), { id, ...input }, "json");
  };
}

function toUrl(url: unknown, ports: CliPorts): Report {
  const base = isText(url) ? url.replace(/\/$/, "") : "";
  return async (event) => {
    if (event === "start") return ports.post(`${base}/start`, "");
    return ports.post(`${base}/${event.exit}`, textOf(event));
  };
}

/** Whole characters only, without control characters, which JSON would write six times as long. */
function textOf({ tail }: ForegroundEnd): string {
  let from = 0;
  while (((tail[from] ?? 0) & 0xc0) === 0x80) from += 1;
  return harmless(new TextDecoder().decode(tail.subarray(from)));
}

function bounded(report: Report, ports: CliPorts): Report {
  const { clock, err, errorsIn, reader } = ports;
  const { signal } = new AbortController();
  const shown = new Set<string>();
  const warn = async (problem: string): Promise<void> => {
    if (shown.has(problem)) return;
    shown.add(problem);
    const { language } = await reader();
    const translate = await errorsIn(language);
    err(textsOf(language).notReported(translate(problem)));
  };
  return async (event) => {
    try {
      const limits = { clock, timeoutMs: reportMs, graceMs: 0, signal };
      const outcome = await withDeadline(limits, () => report(event));
      if ("late" in outcome) await warn(outcome.late);
    } catch (error) {
      await warn(harmless(messageOf(error)));
    }
  };
}

async function noProgram(
  file: string | undefined,
  { exit }: ForegroundEnd,
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
