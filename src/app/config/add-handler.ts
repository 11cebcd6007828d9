import { resolve } from "node:path";
import { isHandlerName } from "../../features/events/index.ts";
import { allowedProgram, isEventType } from "../../features/tasks/index.ts";
import { DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import { findFile, namedFile } from "./find.ts";
import { withHandler } from "./handler-text.ts";
import { loadConfig, replaceFile, type ConfigParts, type Loaded } from "./load.ts";

/** A handler that somebody wants. */
export interface AskedHandler {
  readonly type: string;
  readonly command: readonly string[];
  readonly name?: string | undefined;
  readonly channel?: string | undefined;
  readonly timeout?: string | undefined;
}

export interface AddedHandler {
  readonly name: string;
  readonly file: string;
}

/** Writes a handler into the file. What would make the file wrong is refused, and nothing is written. */
export function addHandler(request: AskedHandler, parts: ConfigParts): AddedHandler {
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
    ...(timeout === undefined ? {} : { timeout }),
    ...(channel === undefined ? {} : { channel }),
  });
  // All that is checked in a file is checked before it is one.
  const readText = (path: string): string | undefined =>
    path === file ? text : parts.readText(path);
  loadConfig({ ...parts, readText });
  replaceFile(file, text, found?.text);
  return { name, file };
}

function checkType(type: string, { config, origins }: Loaded): void {
  if (!isEventType(type)) {
    const sentence = `${quote(type)} is no type of an event: write it like github.pr.review_requested.`;
    throw new DaybookError("invalid", sentence);
  }
  const taker = config.handlers.find(({ subscribes }) => subscribes.includes(type));
  if (taker === undefined) return;
  const key = `handlers.${taker.name}.subscribes`;
  const place = origins.find((each) => each.key === key)?.from ?? "";
  const sentence = `${taker.name} handles ${type} already (${place}): take it out there first.`;
  throw new DaybookError("conflict", sentence, { details: { handler: taker.name } });
}

const nameCharsMax = 60;

/** `on-github-pr-comment`, with a number when that is taken. */
function nameFor({ name, type }: AskedHandler, { config }: Loaded): string {
  const isTaken = (wanted: string): boolean => config.handlers.some((each) => each.name === wanted);
  if (name !== undefined) {
    if (!isHandlerName(name)) {
      const sentence = `${quote(name)} is no name of a handler: write small letters, digits and dashes, like gen-pr.`;
      throw new DaybookError("invalid", sentence);
    }
    if (!isTaken(name)) return name;
    const sentence = `There is a handler ${quote(name)} already: choose another --name, or edit it in the file.`;
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

/** The program that is meant where it is typed, as it is found where commands run. */
function commandFor(
  { command }: AskedHandler,
  { config, file }: Loaded,
  cwd: string,
): readonly string[] {
  const [typed = "", ...words] = command;
  if (typed === "")
    throw new DaybookError("invalid", "Say what to run after --, as in: -- ./review.sh");
  const { allow, cwd: folder } = config.runners.command;
  const here = typed.includes("/") ? resolve(cwd, typed) : typed;
  // A daemon that runs without a file has its commands elsewhere than the next one, which finds it.
  const isSame = file !== null && here === resolve(folder, typed);
  const program = isSame ? typed : here;
  if (allowedProgram(program, allow, folder) !== undefined) return [program, ...words];
  const list = [...(allow === "everything" ? [] : allow), program].map((each) =>
    JSON.stringify(each),
  );
  const line = `runners: { command: { allow: [${list.join(", ")}] } }`;
  const sentence = `${quote(program)} is not allowed to run here: write this line into daybook.yaml, and ask again.\n${line}`;
  throw new DaybookError("refused", sentence, { details: { line } });
}
