import { hasCode, messageOf } from "../../platform/errors.ts";
import { exits, type CliPorts, type Command } from "./command.ts";
import { operationIn } from "./find.ts";
import { input } from "./inputs.ts";
import { textsOf } from "./texts.ts";

/** Adds a handler to the settings file, and asks the running daemon to reload it. */
export const on: Command = {
  name: "on",
  summary: "Run a program for every event of a type.",
  inputs: [
    input("TYPE", "the type of the events, such as github.pr.review_requested"),
    input("--name", "the name of the handler. Default: made from the type"),
    input(
      "--channel",
      "where its messages are sent: a Slack channel such as C0123456789, or a target",
    ),
    input("--timeout", 'how long a run may take, such as "10m"; a number is in seconds'),
    input("-- COMMAND", "the program and its arguments", {
      name: "command",
      kind: "rest",
      isRequired: true,
    }),
  ],
  hasJson: true,
  async run({ input: { type, name, channel, timeout, command }, json }, ports) {
    const words = Array.isArray(command) ? command.map(String) : [];
    const daemon = await ports.daemon();
    const handler = {
      type: textOf(type) ?? "",
      command: words,
      name: textOf(name),
      channel: textOf(channel),
      timeout: textOf(timeout),
    };
    const added = await ports.config.add(handler, daemon?.settingsFile);
    const texts = textsOf((await ports.reader()).language);
    const noDaemon = texts.noDaemonForFile(added.file);
    const problem = daemon === undefined ? noDaemon : await reload(ports, noDaemon);
    if (json) ports.out(JSON.stringify({ ...added, type, reloaded: problem === null, problem }));
    else {
      ports.out(texts.handlerAdded(added.name, added.file));
      if (problem !== null) ports.err(texts.handlerNotLoaded(problem));
    }
    return exits.done;
  },
};

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Why no daemon has loaded it; null when one has. */
async function reload(ports: CliPorts, noDaemon: string): Promise<string | null> {
  const operation = operationIn(ports.commands, "reload_config");
  try {
    await ports.ask(operation, {}, "json");
    return null;
  } catch (error) {
    return hasCode(error, "unsupported")
      ? noDaemon // it has stopped meanwhile
      : messageOf(error);
  }
}
