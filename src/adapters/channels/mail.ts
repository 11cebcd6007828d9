import type ComposerPackage from "nodemailer/lib/mail-composer";
import { DaybookError } from "../../platform/errors.ts";

export interface Mail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** `<name@domain>` */
  readonly messageId: string;
  /** The one that it follows, in the same thread. */
  readonly inReplyTo?: string;
  /** UTC epoch milliseconds. */
  readonly at: number;
  readonly priority: "low" | "normal" | "high";
}

const importance: Record<Mail["priority"], Record<string, string>> = {
  low: { Importance: "Low", "X-Priority": "5" },
  normal: {},
  high: { Importance: "High", "X-Priority": "1" },
};
const headers = ["from", "to", "subject", "messageId", "inReplyTo"] as const;

/** As it goes over the wire, in text and HTML. */
export async function mailBytes(mail: Mail, Composer: typeof ComposerPackage): Promise<Buffer> {
  refuseLineEnds(mail);
  const { at, inReplyTo, priority, ...rest } = mail;
  const thread = inReplyTo === undefined ? {} : { inReplyTo, references: inReplyTo };
  // Who is away does not answer to what no person wrote.
  const more = { "Auto-Submitted": "auto-generated", ...importance[priority] };
  const given = { ...rest, ...thread, headers: more, date: new Date(at) };
  const closed = { disableFileAccess: true, disableUrlAccess: true };
  return await new Composer({ ...given, ...closed }).compile().build();
}

/** A line end in a header would begin another header. */
function refuseLineEnds(mail: Mail): void {
  const wrong = headers.find((name) => /[\r\n\0]/.test(mail[name] ?? ""));
  if (wrong === undefined) return;
  const sentence = `The mail's "${wrong}" has a line end in it: write it on one line.`;
  throw new DaybookError("invalid", sentence, { details: { sent: false } });
}
