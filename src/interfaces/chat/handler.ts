import type { ChatHandler, ChatInput, ChatText } from "../../adapters/chats/chat.ts";
import {
  type CommandLine,
  readBareCommand,
  readCommand,
} from "../../adapters/chats/command-line.ts";
import { readCode, type LinkedCaller } from "../../features/accounts/index.ts";
import type { ChatAnswer, ChatCommand, ChatPart, ChatTurn } from "../../kernel/chat.ts";
import { hasCode, toErrorData, type ErrorCode } from "../../platform/errors.ts";
import type { Language } from "../../platform/language.ts";
import type { Log } from "../../platform/log.ts";
import { literal } from "../../platform/markup/literal.ts";
import { cut, oneLine } from "../../platform/text.ts";
import { commandNamed, runCommand } from "./commands.ts";
import type { ChatOptions } from "./options.ts";
import { textsOf } from "./texts.ts";
import { turnOf } from "./turn.ts";

/** Handles a message of any chat service: finds the person and the command, and answers in text. */
export function chatHandler(options: ChatOptions): ChatHandler {
  const { people, log } = options;
  const logStranger = strangerLog(log);
  return async (incoming) => {
    const { channel, sender } = incoming;
    let language = sender.language ?? "en";
    try {
      const code = codeIn(incoming, options);
      if (code !== undefined) return await join(incoming, code, options);
      const known = await people.find(channel, sender.id);
      if (known === undefined) return logStranger(incoming);
      const turn = await turnOf(incoming, known, options);
      language = turn.reader.language;
      return await answerTo(incoming, turn, { ...options, known });
    } catch (error) {
      return failed(incoming, error, { ...options, language });
    }
  };
}

/** The code of `/start CODE` or `link CODE`. */
function codeIn({ content }: ChatInput, { commands }: ChatOptions): string | undefined {
  if (!("text" in content)) return undefined;
  const typed = readCommand(content.text);
  const line = typed ?? bareIn(content, commands);
  if (line === undefined || commandNamed(commands, line.name)?.name !== "start") return undefined;
  // "link to the page" has no code.
  const isCode = typed === undefined ? readCode(line.text) !== undefined : line.text !== "";
  return isCode ? line.text : undefined;
}

function bareIn(
  { text, overheard = false }: ChatText,
  commands: readonly ChatCommand[],
): CommandLine | undefined {
  if (overheard) return undefined;
  return readBareCommand(text, (name) => commandNamed(commands, name) !== undefined);
}

interface Answering extends ChatOptions {
  readonly known: LinkedCaller;
}

async function answerTo(
  { content, channel }: ChatInput,
  turn: ChatTurn,
  answering: Answering,
): Promise<ChatAnswer> {
  const { parts } = answering;
  if ("pressed" in content) {
    return (await firstOf(parts, (part) => part.press?.(turn, content.pressed))) ?? {};
  }
  const { overheard = false } = content;
  const answer = await commandOrReply(content, turn, answering);
  if (answer !== undefined) return answer;
  if (await isHandled(content, turn, { ...answering, channel })) return {};
  const answered = await firstOf(parts, (part) => part.replyInThread?.(turn, content));
  return answered ?? (overheard ? {} : { text: textsOf(turn.reader.language).hint });
}

/** Runs a command, or takes the answer to a question; undefined when the message is neither. */
async function commandOrReply(
  content: ChatText,
  turn: ChatTurn,
  { parts, commands }: Answering,
): Promise<ChatAnswer | undefined> {
  const line = readCommand(content.text);
  if (line !== undefined) {
    const isOurs = commandNamed(commands, line.name) !== undefined;
    return content.overheard === true && !isOurs ? {} : runCommand(turn, line, commands);
  }
  const replied = await firstOf(parts, (part) => part.reply?.(turn, content));
  if (replied !== undefined) return replied;
  const bare = bareIn(content, commands);
  return bare && runCommand(turn, bare, commands);
}

/** Whether a handler takes the message. One that was not addressed to the bot counts only in a thread of ours. */
async function isHandled(
  content: ChatText,
  turn: ChatTurn,
  { parts, emit, known, channel }: Answering & { readonly channel: string },
): Promise<boolean> {
  const { event, overheard = false } = content;
  if (event === undefined || emit === undefined) return false;
  if (overheard && !(await isInOurThread(turn, content, parts))) return false;
  return emit(event, { channel, ...known });
}

/** The answer of the first part that has one. */
async function firstOf(
  parts: readonly ChatPart[],
  answerOf: (part: ChatPart) => Promise<ChatAnswer | undefined> | undefined,
): Promise<ChatAnswer | undefined> {
  for (const part of parts) {
    const answer = await answerOf(part);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** A thread that a message of ours started, or that a feature writes to. */
async function isInOurThread(
  turn: ChatTurn,
  { inThread }: ChatText,
  parts: readonly ChatPart[],
): Promise<boolean> {
  if (inThread !== true) return false;
  if ((await turn.replied()) !== undefined) return true;
  for (const part of parts) if ((await part.ownsThread?.(turn)) === true) return true;
  return false;
}

async function join(
  incoming: ChatInput,
  code: string,
  { people, installation, errorsIn, log }: ChatOptions,
): Promise<ChatAnswer> {
  const { channel, sender } = incoming;
  try {
    const who = { channel, sender: sender.id, name: oneLine(sender.name, 100) };
    const known = await people.join(code, who);
    log.info("chat.linked", { channel, sender: sender.id, owner: known.owner });
    const { reader, owner } = await turnOf(incoming, known, { installation, errorsIn });
    return { text: textsOf(reader.language).welcome(literal(owner)) };
  } catch (error) {
    // Further guesses get no answer.
    if (hasCode(error, "busy")) return {};
    if (!hasCode(error, "refused")) throw error;
    return { text: textsOf(sender.language ?? "en").wrongCode };
  }
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

async function failed(
  { channel, address, content }: ChatInput,
  error: unknown,
  { language, log, errorsIn }: ChatOptions & { readonly language: Language },
): Promise<ChatAnswer> {
  const { code, message: sentence } = toErrorData(error);
  const texts = textsOf(language);
  const translate = await errorsIn?.(language);
  const message = translate?.(sentence) ?? sentence;
  const isTemporary = temporary.includes(code);
  if (code === "bug") log.error("chat.failed", { channel, place: address, error });
  else if (isTemporary) log.warn("chat.failed", { channel, place: address, error });
  const own = code === "bug" ? texts.wentWrong : isTemporary ? texts.tryAgain : undefined;
  if ("pressed" in content) return { toast: oneLine(own ?? message, toastMax) };
  return { text: own ?? literal(message, 1_000) };
}
