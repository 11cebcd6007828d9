import { resolve } from "node:path";
import { isHandlerName } from "../../features/events/index.ts";
import { allowedProgram, isEventType } from "../../features/tasks/index.ts";
import { DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import { findFile, namedFile } from "./find.ts";
import { withHandler } from "./handler-text.ts";
import { loadConfig, replaceFile, type ConfigParts, type Loaded } from "./load.ts";

export interface HandlerRequest {
  readonly type: string;
  readonly command: readonly string[];
  readonly name?: string | undefined;
  readonly channel?: string | undefined;
  readonly timeout?: string | undefined;
}

/**
 * Writes a handler into the file, unless that would make the file wrong. While a daemon runs, the file is the one that
 * it reads: another would change nothing.
 */
export function addHandler(
  request: HandlerRequest,
  given: ConfigParts,
  daemonFile?: string,
): { readonly name: string; readonly file: string } {
  const parts = daemonFile === undefined ? given : withFile(daemonFile, given);
  const loaded = loadConfig(parts);
  const { type, channel, timeout } = request;
  checkType(type, loaded);
  const name = nameFor(request, loaded);
  const command = commandFor(request, loaded, parts.cwd);
  const found = findFile(parts);
  const file =
    found?.path ?? resolve(parts.cwd, namedFile(parts.env, parts.flags) ?? "daybook.yaml");
  const text = withHandler(found?.text ?? "", name, {
    subscribes: [type],
    run: { command },
    timeout,
    channel,
  });
  // Checked as a whole before it is written.
  const readText = (path: string): string | undefined =>
    path === file ? text : parts.readText(path);
  loadConfig({ ...parts, readText });
  replaceFile(file, text, found?.text || given.readText(file));
  return { name, file };
}

/** Parts that read this file; while it does not exist, it is empty. */
function withFile(file: string, parts: ConfigParts): ConfigParts {
  const { env, flags, cwd } = parts;
  const named = namedFile(env, flags);
  if (named !== undefined && resolve(cwd, named) !== file) {
    const option = flags["config"] === undefined ? "DAYBOOK_CONFIG" : "--config";
    const sentence = `The daemon that runs reads ${file}, and not ${named}: leave ${option} out to write there, or restart the daemon with daybook start --config ${resolve(cwd, named)}.`;
    throw new DaybookError("conflict", sentence, { details: { file } });
  }
  return {
    ...parts,
    flags: { ...flags, config: file },
    readText: (path) => parts.readText(path) ?? (path === file ? "" : undefined),
  };
}

function checkType(type: string, { config, origins }: Loaded): void {
  if (!isEventType(type)) {
    const sentence = `${quote(type)} is not an event type: write one like github.pr.review_requested.`;
    throw new DaybookError("invalid", sentence);
  }
  const taker = config.handlers.find(({ subscribes }) => subscribes.includes(type));
  if (taker === undefined) return;
  const key = `handlers.${taker.name}.subscribes`;
  const position = origins.find((each) => each.key === key)?.from ?? "";
  const sentence = `${taker.name} already handles ${type} (${position}): remove it there first.`;
  throw new DaybookError("conflict", sentence, { details: { handler: taker.name } });
}

const nameCharsMax = 60;

/** `on-github-pr-comment`, with a number when that is taken. */
function nameFor({ name, type }: HandlerRequest, { config }: Loaded): string {
  const isTaken = (wanted: string): boolean => config.handlers.some((each) => each.name === wanted);
  if (name !== undefined) {
    if (!isHandlerName(name)) {
      const sentence = `${quote(name)} is not a handler name: use small letters, digits and dashes, like gen-pr.`;
      throw new DaybookError("invalid", sentence);
    }
    if (!isTaken(name)) return name;
    const sentence = `A handler ${quote(name)} already exists: choose another --name, or edit it in the file.`;
    throw new DaybookError("conflict", sentence);
  }
  const plain = `on-${type.replaceAll(/[^a-z0-9]+/g, "-")}`
    .slice(0, nameCharsMax)
    .replace(/-$/, "");
  if (!isTaken(plain)) return plain;
  for (let number = 2; ; number += 1) {
    if (!isTaken(`${plain}-${number}`)) return `${plain}-${number}`;
  }
}

/** The command as typed in the working folder, with its program as found from the folder where commands run. */
function commandFor(
  { command }: HandlerRequest,
  { config, file }: Loaded,
  cwd: string,
): readonly string[] {
  const [typed = "", ...words] = command;
  if (typed === "")
    throw new DaybookError("invalid", "Write the command after --, as in: -- ./review.sh");
  const { allow, cwd: folder } = config.runners.command;
  const absolute = typed.includes("/") ? resolve(cwd, typed) : typed;
  // A daemon without a file runs commands in another folder than the next one, which finds the file.
  const isSame = file !== null && absolute === resolve(folder, typed);
  const program = isSame ? typed : absolute;
  if (allowedProgram(program, allow, folder) !== undefined) return [program, ...words];
  const list = [...(allow === "everything" ? [] : allow), program].map((each) =>
    JSON.stringify(each),
  );
  const line = `runners: { command: { allow: [${list.join(", ")}] } }`;
  const sentence = `${quote(program)} is not allowed to run here: add this line to ${file ?? "daybook.yaml"} and try again.\n${line}`;
  throw new DaybookError("refused", sentence, { details: { line } });
}
