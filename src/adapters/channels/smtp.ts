import { Readable } from "node:stream";
import type ConnectionPackage from "nodemailer/lib/smtp-connection";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import { redact } from "../../platform/redact.ts";
import { oneLine } from "../../platform/text.ts";
import { loadClient } from "./chat-client.ts";
import { mailBytes, type Mail } from "./mail.ts";

/** Sends mails through a server. A failure throws, with `EmailFault` as its details. */
export interface EmailTransport {
  /** Answers the server's reply to the mail. */
  send(mail: Mail, signal: AbortSignal): Promise<string>;
}

export interface EmailFault {
  /** Whether the server may have the mail: all of it was sent. */
  readonly sent: boolean;
  /** The server's reply: 4xx is temporary, 5xx permanent. */
  readonly status?: number;
  readonly description?: string;
}

const answerCharsMax = 300;

/** SMTP over nodemailer, with a connection for each mail, so that it is known whether a mail was sent. */
export function smtp({
  url,
  timeoutMs = 20_000,
  load = loadPackages,
}: {
  /** `smtp://user:password@host:port`, or `smtps://` for TLS from the start. */
  readonly url: string;
  readonly timeoutMs?: number;
  readonly load?: typeof loadPackages;
}): EmailTransport {
  const { login, ...server } = serverOf(url);
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
      const requireTLS = login !== undefined && !isLocal(server.host);
      const connection = new packages.SMTPConnection({ ...server, ...limits, requireTLS });
      const hidden = login === undefined ? [] : [login.pass];
      return await exchange({ connection, login, mail, bytes, signal, hidden });
    },
  };
}

async function loadPackages() {
  const [{ default: SMTPConnection }, { default: MailComposer }] = await Promise.all([
    import("nodemailer/lib/smtp-connection"),
    import("nodemailer/lib/mail-composer"),
  ]);
  return { SMTPConnection, MailComposer };
}

function serverOf(text: string) {
  const url = URL.parse(text);
  const login = url === null ? undefined : loginIn(url);
  const isMail = url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== "";
  if (!isMail || login === undefined) {
    const sentence =
      "The mail server's URL is not valid: write smtp://user:password@host:port, with %25 for a %.";
    throw new DaybookError("invalid", sentence);
  }
  const secure = url.protocol === "smtps:";
  const port = url.port === "" ? (secure ? 465 : 587) : Number(url.port);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return { host, port, secure, login: login.user === "" ? undefined : login };
}

type Login = { readonly user: string; readonly pass: string } | undefined;

function loginIn({ username, password }: URL): Login {
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}

/** A password is sent in the clear only to this machine. */
function isLocal(host: string): boolean {
  return ["localhost", "127.0.0.1", "::1"].includes(host);
}

interface Exchange {
  readonly connection: ConnectionPackage;
  readonly login: Login;
  readonly mail: Mail;
  readonly bytes: Buffer;
  readonly signal: AbortSignal;
  readonly hidden: readonly string[];
}

async function exchange({ connection, login, mail, bytes, signal, hidden }: Exchange) {
  let sent = false;
  // nodemailer writes the end of a mail after the last piece: before that, no server accepts it.
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
    return oneLine(redact(info?.response ?? "", hidden), answerCharsMax);
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
  const description = oneLine(redact(messageOf(error), hidden), answerCharsMax);
  return typeof status === "number" && status >= 400
    ? fault(description, { sent: true, status, description })
    : fault(description, { sent, description });
}

function fault(sentence: string, details: EmailFault): DaybookError {
  const isFinal = (details.status ?? 0) >= 500;
  return new DaybookError(isFinal ? "refused" : "unavailable", sentence, {
    details: { ...details },
  });
}
