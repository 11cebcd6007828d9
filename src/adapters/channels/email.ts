import { emailAddress } from "../../features/accounts/index.ts";
import {
  type Channel,
  type Message,
  type Sent,
  stopped,
} from "../../features/notifications/index.ts";
import { messageOf, toErrorData } from "../../platform/errors.ts";
import { present } from "../../platform/json.ts";
import { inLanguages } from "../../platform/language.ts";
import { emailHtml } from "../../platform/markup/email.ts";
import { readMarkdown } from "../../platform/markup/read.ts";
import { visible } from "../../platform/markup/runs.ts";
import { cutUnits, oneLine } from "../../platform/text.ts";
import type { Mail } from "./mail.ts";
import { faultOf } from "./post.ts";
import type { EmailFault, EmailTransport } from "./smtp.ts";
import { textFileOf } from "./text-file.ts";

interface Sender {
  /** `Daybook <daybook@example.com>` */
  from: string;
  /** The domain of the mails' ids. */
  domain: string;
}

const subjectCharsMax = 78;

/**
 * Sends messages to `email:{address}`. A mail's id is made from the message's: a repeat has the same
 * one, and most mail programs show it once.
 */
export function email({ transport, ...sender }: Sender & { transport: EmailTransport }): Channel {
  return {
    name: "email",
    readAddress: emailAddress,
    takesLong: true,
    async send(message, { signal }) {
      if (signal.aborted) return stopped();
      try {
        emailAddress(message.address);
        const mail = mailOf(message, sender);
        const description = await transport.send(mail, signal);
        const accepted = [message.address];
        return {
          result: "delivered",
          receipt: { messageId: mail.messageId, accepted, said: description },
        };
      } catch (error) {
        return sentAfter(error, signal);
      }
    },
  };
}

/** What is longer is no Markdown any more, and mail programs fold it away. */
const textUnitsMax = 20_000;

function mailOf(message: Message, { from, domain }: Sender): Mail {
  const { id, address, at, priority, follows } = message;
  const isLong = message.text.length > textUnitsMax;
  const rich = readMarkdown(isLong ? startOf(message) : message.text);
  const text = visible(rich);
  return {
    from,
    to: address,
    subject: oneLine(text, subjectCharsMax),
    text,
    html: emailHtml(rich),
    messageId: idAt(id, domain),
    // Mails of one thread stay together, even if its first message was sent elsewhere.
    inReplyTo: follows === undefined ? undefined : idAt(follows, domain),
    at,
    priority,
    file: isLong ? textFileOf(message) : undefined,
  };
}

/** Without a line that is cut in two, unless it is very long. */
function startOf({ text, language }: Message): string {
  const start = cutUnits(text, textUnitsMax - 200);
  const lineEnd = start.lastIndexOf("\n");
  const shown = lineEnd > textUnitsMax / 2 ? `${start.slice(0, lineEnd)}\n…` : start;
  return `${shown}\n\n${attachedIn(language)}`;
}

const attachedIn = inLanguages({
  en: "The complete text is attached.",
  ko: "전체 내용은 첨부 파일에 있습니다.",
});

function idAt(id: string, domain: string): string {
  return `<${id.replaceAll(/[^\w.-]/g, "-")}@${domain}>`;
}

function sentAfter(error: unknown, signal: AbortSignal): Sent {
  const { code, message, details } = toErrorData(error);
  const { status, description = "" } = details as Partial<EmailFault>;
  if (code === "invalid") return { result: "rejected", reason: messageOf(error) };
  if (status === undefined) return faultOf(error, { signal, secrets: [] });
  const reason = `the mail server answered ${status}: ${description || message}`;
  if (status === 535 || status === 530) {
    const toDo = "check the name and the password of the mail server";
    return { result: "rejected", reason: `${toDo} (${reason})` };
  }
  if (status >= 500) return { result: "rejected", reason };
  // With 421 a server refuses everybody.
  return present({ result: "retry", reason, destinationDown: status === 421 || undefined });
}
