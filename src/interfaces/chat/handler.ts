import type { ChatHandler, ChatInput, ChatText, ChatAnswer } from "../../adapters/chats/chat.ts";
import {
  readBareCommand,
  readCommand,
  type CommandLine,
  commandNamed,
} from "../../adapters/chats/command-line.ts";
import type { Texts } from "../../adapters/chats/texts-en.ts";
import { textsOf } from "../../adapters/chats/texts.ts";
import { readCode, type LinkedCaller } from "../../features/accounts/index.ts";
import type { SourceEvent } from "../../features/events/index.ts";
import { taskKind } from "../../features/tasks/index.ts";
import type { Installation } from "../../kernel/operation.ts";
import { hasCode, toErrorData, type ErrorCode } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { cut, oneLine } from "../../platform/text.ts";
import { runCommand } from "./commands.ts";
import { literal } from "./literal.ts";
import type { People } from "./people.ts";
import { press } from "./reminder-commands.ts";
import { answerInThread, answerTo } from "./schedule-commands.ts";
import { turnOf, type Operations, type Turn } from "./turn.ts";

interface ChatOptions {
  readonly installation: Installation;
  readonly operations: Operations;
  readonly people: People;
  readonly log: Log;
  /** Records an event if a handler of that book subscribes to it; returns whether one does. */
  readonly emit?: EmitEvent;
}

export type EmitEvent = (
  event: SourceEvent,
  who: { readonly channel: string; readonly owner: string; readonly by: string },
) => Promise<boolean>;

/** Handles a message of any chat service: finds the person and the command, and answers in text. */
export function chatHandler(options: ChatOptions): ChatHandler {
  const { people, log } = options;
  const logStranger = strangerLog(log);
  return async (incoming) => {
    const { channel, sender } = incoming;
    let texts = textsOf(sender.language ?? "en");
    try {
      const code = codeIn(incoming);
      if (code !== undefined) return await join(incoming, code, options);
      const known = await people.find(channel, sender.id);
      if (known === undefined) return logStranger(incoming);
      const turn = await turnOf(incoming, known, options);
      ({ texts } = turn);
      const answer = await runMeant(turn);
      if (answer !== undefined) return answer;
      if (await handled(turn, known, options)) return {};
      const answered = await answerInThread(turn);
      if (answered !== undefined) return answered;
      return isOverheard(incoming) ? {} : { text: texts.hint };
    } catch (error) {
      return failed(incoming, error, { texts, log });
    }
  };
}

/** The code of `/start CODE` or `link CODE`. */
function codeIn({ content }: ChatInput): string | undefined {
  if (!("text" in content)) return undefined;
  const typed = readCommand(content.text);
  const line = typed ?? bareIn(content);
  if (line === undefined || commandNamed(line.name) !== "start") return undefined;
  // "link to the page" has no code.
  const isCode = typed === undefined ? readCode(line.text) !== undefined : line.text !== "";
  return isCode ? line.text : undefined;
}

function bareIn({ text, overheard = false }: ChatText): CommandLine | undefined {
  if (overheard) return undefined;
  return readBareCommand(text, (name) => commandNamed(name) !== undefined);
}

async function join(
  incoming: ChatInput,
  code: string,
  { people, installation, operations, log }: ChatOptions,
): Promise<ChatAnswer> {
  const { channel, sender } = incoming;
  try {
    const who = { channel, sender: sender.id, name: oneLine(sender.name, 100) };
    const known = await people.join(code, who);
    log.info("chat.linked", { channel, sender: sender.id, owner: known.owner });
    const { texts, owner } = await turnOf(incoming, known, { installation, operations });
    return { text: texts.welcome(literal(owner)) };
  } catch (error) {
    // Further guesses get no answer.
    if (hasCode(error, "busy")) return {};
    if (!hasCode(error, "refused")) throw error;
    return { text: textsOf(sender.language ?? "en").wrongCode };
  }
}

/** Runs a button press, a command or an answer; undefined when the message is none of these. */
async function runMeant(turn: Turn): Promise<ChatAnswer | undefined> {
  const { content } = turn.incoming;
  if ("pressed" in content) return press(turn, content.pressed);
  const line = readCommand(content.text);
  if (line !== undefined) {
    const isOurs = commandNamed(line.name) !== undefined;
    return content.overheard === true && !isOurs ? {} : runCommand(turn, line);
  }
  const answered = await answerTo(turn, content.text);
  if (answered !== undefined) return answered;
  const bare = bareIn(content);
  return bare === undefined ? undefined : runCommand(turn, bare);
}

function isOverheard({ content }: ChatInput): boolean {
  return "text" in content && content.overheard === true;
}

/** Whether a handler takes the message. One that was not addressed to us counts only in a thread of our tasks. */
async function handled(turn: Turn, known: LinkedCaller, { emit }: ChatOptions): Promise<boolean> {
  const { content, channel } = turn.incoming;
  if (!("text" in content) || content.event === undefined || emit === undefined) return false;
  if (content.overheard === true && !(await isOurThread(turn))) return false;
  return emit(content.event, { channel, ...known });
}

const tasksSeenMax = 200;

/** A thread that a message of ours started, or that is the target of a task. */
async function isOurThread(turn: Turn): Promise<boolean> {
  const { content } = turn.incoming;
  if (!("text" in content) || content.inThread !== true) return false;
  if ((await turn.replied()) !== undefined) return true;
  const { records } = await turn.book.list({
    kind: taskKind,
    order: "newest",
    limit: tasksSeenMax,
  });
  return records.some(({ kind, body }) => kind === "task" && body.target === turn.origin);
}

const strangersMax = 1_000;

/** Gives unknown people no answer, and logs each of them once. */
function strangerLog(log: Log): (incoming: ChatInput) => ChatAnswer {
  const seen = new Set<string>();
  return ({ channel, sender, address }) => {
    const who = `${channel}:${sender.id}`;
    if (seen.has(who)) return {};
    seen.add(who);
    const [oldest] = seen;
    if (seen.size > strangersMax && oldest !== undefined) seen.delete(oldest);
    const name = oneLine(sender.name, 100);
    log.warn("chat.stranger", { channel, sender: cut(sender.id, 100), name, place: address });
    return {};
  };
}

/** A retry may succeed. */
const temporary: readonly ErrorCode[] = ["busy", "unavailable", "unknown", "closed"];
const toastMax = 180;

function failed(
  { channel, address, content }: ChatInput,
  error: unknown,
  { texts, log }: { texts: Texts; log: Log },
): ChatAnswer {
  const { code, message } = toErrorData(error);
  const isTemporary = temporary.includes(code);
  if (code === "bug") log.error("chat.failed", { channel, place: address, error });
  else if (isTemporary) log.warn("chat.failed", { channel, place: address, error });
  const own = code === "bug" ? texts.wentWrong : isTemporary ? texts.tryAgain : undefined;
  if ("pressed" in content) return { toast: oneLine(own ?? message, toastMax) };
  return { text: own ?? literal(message, 1_000) };
}
