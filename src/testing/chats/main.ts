import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { discordServer } from "./discord-server.ts";
import type { Peer } from "./peer.ts";
import { slackServer } from "./slack-server.ts";
import { smtpServer } from "./smtp.ts";
import { telegramServer } from "./telegram-server.ts";
import { words } from "./texts.ts";
import { readLine, type Typed } from "./typed-line.ts";

/**
 * Fake chats and mail, to try Daybook without accounts. Received messages are printed, and typed lines
 * are sent. `npm run dev:chats -- [--port FIRST] [--daemon URL]`; port 0: any free ones.
 */

const say = words[process.env["LANG"]?.startsWith("ko") === true ? "ko" : "en"];
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "8281" },
    daemon: { type: "string", default: "http://127.0.0.1:4810" },
  },
});
const first = Number(values.port);
const port = (at: number) => ({ port: first === 0 ? 0 : first + at });
const jane = { id: 7, first_name: "Jane" };
const minji = { id: 8, first_name: "Minji" };
const group = -1_001;
const janeInSlack = { id: "U1", name: "jane" };
const janeInDiscord = { id: "42", username: "jane" };
const direct = { type: "private" } as const;
const [telegram, slack, discord, mail] = await Promise.all([
  telegramServer({
    chats: {
      [jane.id]: direct,
      [minji.id]: direct,
      [group]: { type: "supergroup", topics: [2, 3] },
    },
    ...port(0),
  }),
  slackServer({ channels: { C1: {} }, people: { U1: "D1" }, ...port(1) }),
  discordServer({ channels: { "1": {} }, ...port(2) }),
  smtpServer(port(3)),
]).catch(fail);
// Discord calls the daemon; the daemon asks the others.
discord.deliverTo(async ({ headers, body }) => {
  const text = await new Response(body).text();
  return fetch(new URL("/chats/discord", values.daemon), { method: "POST", headers, body: text });
});

function fail(error: unknown): never {
  const { code, port: taken } = error as { readonly code?: unknown; readonly port?: unknown };
  if (code !== "EADDRINUSE") throw error;
  process.stderr.write(`${say.taken(Number(taken))}\n`);
  process.exit(1);
}

print(`${say.set}
  DAYBOOK_TELEGRAM_API=${telegram.url}
  DAYBOOK_TELEGRAM_TOKEN=${telegram.token}
  DAYBOOK_SLACK_API=${slack.apiUrl}
  DAYBOOK_SLACK_TOKEN=${slack.token}
${say.file}
  channels:
    telegram: { senders: [{ id: ${jane.id}, owner: me }, { id: ${minji.id}, owner: minji }] }
    slack: { appToken: ${slack.appToken}, signingSecret: ${slack.signingSecret}, senders: [{ id: U1, owner: me }] }
    discord: { api: "${discord.apiUrl}", token: ${discord.token}, publicKey: "${discord.publicKey}", senders: [{ id: "${janeInDiscord.id}", owner: me }] }
    email: { from: daybook@localhost, url: "${mail.url}" }
telegram:${jane.id}  telegram:${minji.id}  telegram:${group}/3  slack:U1  slack:C1  discord:1  email:jane@localhost
${say.type}`);

interface Said {
  readonly text: string;
  /** A file that was sent. */
  readonly file?: { readonly name: string; readonly content: string } | undefined;
  readonly document?: { readonly name: string; readonly content: string } | undefined;
  readonly buttons: readonly { readonly text: string; readonly data: string }[];
}

/** The latest message that has buttons, and how to press them. */
let press = async (_at: number): Promise<void> => print(say.nothing);

/** Prints the messages of a service, also when they are edited. Answers what prints those that came without a call. */
function follow<Message extends Said>(
  server: Peer & { readonly messages: readonly Message[] },
  placeOf: (message: Message) => string,
  pressing: (message: Message, data: string) => Promise<unknown>,
): () => void {
  const printed: Message[] = [];
  const printNew = (): void => {
    for (const [at, message] of server.messages.entries()) {
      if (printed[at] === message) continue;
      const file = message.file ?? message.document;
      const attached = file === undefined ? [] : [`📎 ${file.name} (${file.content.length})`];
      const labels = message.buttons.map(({ text }, button) => `[${button + 1} ${text}]`);
      print(
        [
          `${placeOf(message)}${printed[at] === undefined ? ">" : "~"}`,
          message.text,
          ...attached,
          ...labels,
        ].join(" "),
      );
      printed[at] = message;
      if (labels.length === 0) continue;
      press = async (button) => {
        const { data } = message.buttons[button - 1] ?? {};
        if (data === undefined) print(say.nothing);
        else await pressing(message, data);
      };
    }
  };
  const watch = async (): Promise<void> => {
    for (let calls = 0; ; calls += 1) {
      await server.called(({ number }) => number >= calls);
      printNew();
    }
  };
  void watch();
  return printNew;
}

async function followMail(): Promise<void> {
  for (let number = 0; ; number += 1) {
    const { headers, to, text = "", attached } = await mail.mail(number);
    const file = attached === undefined ? "" : `\n📎 ${attached.name}`;
    print(`mail> ${to.join(", ")}: ${headers["subject"]?.join(" ") ?? ""}\n${text}${file}`);
  }
}

const telegramPlace = ({ chat, thread }: { chat: number; thread?: number }): string =>
  chat === jane.id ? "telegram" : `telegram ${chat}${thread === undefined ? "" : `/${thread}`}`;
follow(telegram, telegramPlace, async ({ id }, data) => telegram.press(id, data, jane));
const slackPlace = ({ channel, thread }: { channel: string; thread?: string }): string =>
  `slack${channel === "D1" ? "" : ` ${channel}`}${thread === undefined ? "" : " (thread)"}`;
follow(slack, slackPlace, ({ ts }, data) => slack.press(ts, data, janeInSlack));
const printDiscord = follow(
  discord,
  () => "discord",
  ({ id }, data) => discord.press(id, data, janeInDiscord),
);
void followMail();

async function act(line: string): Promise<void> {
  const typed = readLine(line);
  if (typed === undefined) return;
  if ("button" in typed) await press(typed.button);
  else if ("telegram" in typed) sayInTelegram(typed);
  else if ("slack" in typed) await sayInSlack(typed);
  else {
    const words = typed.text === "" ? {} : { text: typed.text };
    const { status } = await discord.command("1", janeInDiscord, typed.discord, words);
    if (status !== 200) print(`${say.unheard} ${values.daemon}/chats/discord: ${status}`);
  }
  printDiscord(); // its answers come back in the request
}

function sayInTelegram({
  telegram: place,
  topic,
  text,
}: Extract<Typed, { telegram: string }>): void {
  if (place === "group")
    telegram.say(group, jane, text, topic === undefined ? {} : { thread: topic });
  else if (place === "second") telegram.say(minji.id, minji, text);
  else telegram.say(jane.id, jane, text);
}

async function sayInSlack({
  slack: place,
  text,
}: Extract<Typed, { slack: string }>): Promise<void> {
  if (place === "direct") return void (await slack.say("D1", janeInSlack, text));
  if (place === "channel") return void (await slack.say("C1", janeInSlack, text));
  const latest = slack.messages.at(-1);
  if (latest === undefined) return print(say.noThread);
  await slack.say(latest.channel, janeInSlack, text, { thread: latest.thread ?? latest.ts });
}

createInterface(process.stdin).on("line", (line) => {
  act(line).catch((error: unknown) => print(`${say.unheard} ${String(error)}`));
});
