import { Readable } from "node:stream";
import type ComposerPackage from "nodemailer/lib/mail-composer";
import type ConnectionPackage from "nodemailer/lib/smtp-connection";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import { hide } from "../../platform/redact.ts";
import { oneLine } from "../../platform/text.ts";
import { loadClient } from "./chat-client.ts";
import { mailBytes, type Mail } from "./mail.ts";

/** Hands mails to a server. What was not done throws, with `EmailFault` as its details. */
export interface EmailTransport {
  /** Answers what the server said when it took the mail. */
  send(mail: Mail, signal: AbortSignal): Promise<string>;
}

/** What is known of a mail that was not taken. */
export interface EmailFault {
  /** Whether the server may have it: the whole of it had left. */
  readonly sent: boolean;
  /** The server's answer: 4xx passes, 5xx does not. */
  readonly status?: number;
  readonly said?: string;
}

interface EmailPackages {
  readonly SMTPConnection: typeof ConnectionPackage;
  readonly MailComposer: typeof ComposerPackage;
}

interface SmtpOptions {
  /** `smtp://user:password@host:port`, or `smtps://` for TLS from the start. */
  readonly url: string;
  readonly timeoutMs?: number;
  load?(): Promise<EmailPackages>;
}

interface Server {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly login?: { readonly user: string; readonly pass: string };
}

const answerCharsMax = 300;

/** SMTP over nodemailer, with a connection for each mail: whether a mail left is then known. */
export function smtp(options: SmtpOptions): EmailTransport {
  const { url, timeoutMs = 20_000, load = loadPackages } = options;
  const { login, ...place } = serverOf(url);
  const limits = {
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  };
  return {
    async send(mail, signal) {
      const packages = await loadClient("E-mail", "nodemailer", load);
      const bytes = await mailBytes(mail, packages.MailComposer);
      if (signal.aborted) throw fault("told to stop before anything was sent", { sent: false });
      const safe = login !== undefined && !isHere(place.host) ? { requireTLS: true } : {};
      const connection = new packages.SMTPConnection({ ...place, ...limits, ...safe });
      const hidden = login === undefined ? [] : [login.pass];
      return await exchange({ connection, login, mail, bytes, signal, hidden });
    },
  };
}

async function loadPackages(): Promise<EmailPackages> {
  const [connection, composer] = await Promise.all([
    import("nodemailer/lib/smtp-connection"),
    import("nodemailer/lib/mail-composer"),
  ]);
  return { SMTPConnection: connection.default, MailComposer: composer.default };
}

function serverOf(text: string): Server {
  const url = URL.parse(text);
  const login = url === null ? undefined : loginIn(url);
  const isMail = url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== "";
  if (!isMail || login === undefined) {
    const sentence =
      "The mail server cannot be read: write smtp://user:password@host:port, with %25 for a %.";
    throw new DaybookError("invalid", sentence);
  }
  const secure = url.protocol === "smtps:";
  const port = url.port === "" ? (secure ? 465 : 587) : Number(url.port);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return { host, port, secure, ...(login.user === "" ? {} : { login }) };
}

function loginIn({ username, password }: URL): Server["login"] {
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}

/** A password goes in the clear only to this machine. */
function isHere(host: string): boolean {
  return ["localhost", "127.0.0.1", "::1"].includes(host);
}

interface Exchange {
  readonly connection: ConnectionPackage;
  readonly login: Server["login"] | undefined;
  readonly mail: Mail;
  readonly bytes: Buffer;
  readonly signal: AbortSignal;
  readonly hidden: readonly string[];
}

async function exchange({ connection, login, mail, bytes, signal, hidden }: Exchange) {
  let sent = false;
  // The end of a mail is written when there is no more to read of it: before that, nobody takes it.
  const content = async function* (): AsyncGenerator<Buffer> {
    yield bytes;
    sent = true;
  };
  const { promise: broken, reject } = Promise.withResolvers<never>();
  broken.catch(() => undefined);
  const stop = (): void => reject(new Error("told to stop"));
  connection.on("error", reject);
  connection.once("end", () => reject(new Error("the server closed the connection")));
  signal.addEventListener("abort", stop, { once: true });
  const step = <T>(run: (done: (error?: Error | null, answer?: T) => void) => void) =>
    Promise.race([
      broken,
      new Promise<T | undefined>((resolve, refuse) => {
        run((error, answer) => (error ? refuse(error) : resolve(answer)));
      }),
    ]);
  try {
    await step<void>((done) => connection.connect(done));
    if (login !== undefined) {
      await step((done) => connection.login({ credentials: login }, done));
    }
    const envelope = { from: addressIn(mail.from), to: [mail.to], size: bytes.length };
    const stream = Readable.from(content());
    const info = await step<{ response?: string }>((done) =>
      connection.send(envelope, stream, done),
    );
    connection.quit();
    return oneLine(hide(info?.response ?? "", hidden), answerCharsMax);
  } catch (error) {
    throw faultOf(error, { sent, hidden });
  } finally {
    signal.removeEventListener("abort", stop);
    connection.close();
  }
}

/** `Name <name@host>` → `name@host` */
function addressIn(from: string): string {
  return /<([^<>]*)>\s*$/.exec(from)?.[1] ?? from.trim();
}

function faultOf(
  error: unknown,
  { sent, hidden }: { sent: boolean; hidden: readonly string[] },
): DaybookError {
  const { responseCode: status } = error as { responseCode?: unknown };
  const said = oneLine(hide(messageOf(error), hidden), answerCharsMax);
  return typeof status === "number" && status >= 400
    ? fault(said, { sent: true, status, said })
    : fault(said, { sent, said });
}

function fault(sentence: string, details: EmailFault): DaybookError {
  const isFinal = (details.status ?? 0) >= 500;
  return new DaybookError(isFinal ? "refused" : "unavailable", sentence, {
    details: { ...details },
  });
}
