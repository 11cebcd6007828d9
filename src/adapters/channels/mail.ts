import type ComposerPackage from "nodemailer/lib/mail-composer";
import { DaybookError } from "../../platform/errors.ts";
import type { TextFile } from "./text-file.ts";

export interface Mail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** `<name@domain>` */
  readonly messageId: string;
  /** The mail before it in the thread. */
  readonly inReplyTo?: string | undefined;
  /** UTC epoch milliseconds. */
  readonly at: number;
  readonly priority: "low" | "normal" | "high";
  /** Attached to it. */
  readonly file?: TextFile | undefined;
}

const importance: Record<Mail["priority"], Record<string, string>> = {
  low: { Importance: "Low", "X-Priority": "5" },
  normal: {},
  high: { Importance: "High", "X-Priority": "1" },
};
const headers = ["from", "to", "subject", "messageId", "inReplyTo"] as const;

/** The mail as MIME, in text and HTML. */
export async function mailBytes(mail: Mail, Composer: typeof ComposerPackage): Promise<Buffer> {
  refuseLineEnds(mail);
  const { at, priority, file, ...rest } = mail;
  // Keeps vacation responders from answering.
  const more = { "Auto-Submitted": "auto-generated", ...importance[priority] };
  const given = { ...rest, references: mail.inReplyTo, headers: more, date: new Date(at) };
  const attachments = file === undefined ? [] : [{ filename: file.name, content: file.content }];
  const closed = { disableFileAccess: true, disableUrlAccess: true };
  return await new Composer({ ...given, attachments, ...closed }).compile().build();
}

/** A line end in a header would begin another header. */
function refuseLineEnds(mail: Mail): void {
  const wrong = headers.find((name) => /[\r\n\0]/.test(mail[name] ?? ""));
  if (wrong === undefined) return;
  const sentence = `The mail's "${wrong}" contains a line break: write it on one line.`;
  throw new DaybookError("invalid", sentence, { details: { sent: false } });
}
