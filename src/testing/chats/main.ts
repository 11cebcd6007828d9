import { createInterface } from "node:readline";
import { discordServer } from "./discord-server.ts";
import type { Peer } from "./peer.ts";
import { slackServer } from "./slack-server.ts";
import { smtpServer } from "./smtp.ts";
import { telegramServer } from "./telegram-server.ts";

/**
 * Fake chats and mail, to try Daybook without accounts. Received messages are printed, and typed lines
 * are sent. `node src/testing/chats/main.ts [first port]`; 0: any free ports.
 */

const words = {
  en: {
    set: "Set these for the daemon:",
    file: "and this in its config file:",
    type: "Type to speak in Telegram, `slack: TEXT` to speak in Slack, `!1` to press a button of the latest message.",
    nothing: "There is no such button.",
    unheard: "Nobody heard that:",
  },
  ko: {
    set: "데몬에 다음 변수를 설정하세요:",
    file: "설정 파일에는 다음을 넣으세요:",
    type: "입력하면 텔레그램에서, `slack: 내용`이면 슬랙에서 말합니다. `!1`은 마지막 메시지의 첫 단추를 누릅니다.",
    nothing: "그런 단추가 없습니다.",
    unheard: "아무도 듣지 못했습니다:",
  },
};
const say = words[process.env["LANG"]?.startsWith("ko") === true ? "ko" : "en"];
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const first = Number(process.argv[2] ?? 8_281);
const port = (at: number) => ({ port: first === 0 ? 0 : first + at });
const jane = { id: 7, first_name: "Jane" };
const [telegram, slack, discord, mail] = await Promise.all([
  telegramServer({ chats: { [jane.id]: { type: "private" } }, ...port(0) }),
  slackServer({ channels: { C1: {} }, people: { U1: "D1" }, ...port(1) }),
  discordServer({ channels: { "1": {} }, ...port(2) }),
  smtpServer(port(3)),
]);

print(`${say.set}
  DAYBOOK_TELEGRAM_API=${telegram.url}
  DAYBOOK_TELEGRAM_TOKEN=${telegram.token}
  DAYBOOK_SLACK_API=${slack.apiUrl}
  DAYBOOK_SLACK_TOKEN=${slack.token}
${say.file}
  channels:
    telegram: { senders: [{ id: ${jane.id}, owner: me }] }
    slack: { appToken: ${slack.appToken}, signingSecret: ${slack.signingSecret}, senders: [{ id: U1, owner: me }] }
    discord: { api: "${discord.apiUrl}", token: ${discord.token}, publicKey: "${discord.publicKey}" }
    email: { from: daybook@localhost, url: "${mail.url}" }
telegram:${jane.id}  slack:U1  discord:1  email:jane@localhost
${say.type}`);

interface Said {
  readonly text: string;
  readonly buttons: readonly { readonly text: string; readonly data: string }[];
}

/** The latest message that has buttons, and how to press them. */
let press = async (_at: number): Promise<void> => print(say.nothing);

/** Prints the messages of a service, also when they are edited. */
async function follow<Message extends Said>(
  server: Peer & { readonly messages: readonly Message[] },
  name: string,
  pressing: (message: Message, data: string) => Promise<unknown>,
): Promise<void> {
  const printed: Message[] = [];
  for (let calls = 0; ; calls += 1) {
    await server.called(({ number }) => number >= calls);
    for (const [at, message] of server.messages.entries()) {
      if (printed[at] === message) continue;
      const labels = message.buttons.map(({ text }, button) => `[${button + 1} ${text}]`);
      print([`${name}${printed[at] === undefined ? ">" : "~"}`, message.text, ...labels].join(" "));
      printed[at] = message;
      if (labels.length === 0) continue;
      press = async (button) => {
        const { data } = message.buttons[button - 1] ?? {};
        if (data === undefined) print(say.nothing);
        else await pressing(message, data);
      };
    }
  }
}

async function followMail(): Promise<void> {
  for (let number = 0; ; number += 1) {
    const { headers, to, text = "" } = await mail.mail(number);
    print(`mail> ${to.join(", ")}: ${headers["subject"]?.join(" ") ?? ""}\n${text}`);
  }
}

const from = { id: "U1", name: "jane" };
void follow(telegram, "telegram", async ({ id }, data) => telegram.press(id, data, jane));
void follow(slack, "slack", ({ ts }, data) => slack.press(ts, data, from));
void follow(discord, "discord", ({ id }, data) =>
  discord.press(id, data, { id: "42", username: "jane" }),
);
void followMail();

async function typed(line: string): Promise<void> {
  const [, button] = /^!(\d+)$/.exec(line) ?? [];
  const [, inSlack] = /^slack:\s*(.+)$/.exec(line) ?? [];
  if (button !== undefined) await press(Number(button));
  else if (inSlack !== undefined) await slack.say("D1", from, inSlack);
  else if (line.trim() !== "") telegram.say(jane.id, jane, line);
}

createInterface(process.stdin).on("line", (line) => {
  typed(line).catch((error: unknown) => print(`${say.unheard} ${String(error)}`));
});
