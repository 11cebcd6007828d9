import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";
import { readMail, type Mail } from "./mail.ts";

/** An accepted mail. */
interface ReceivedMail extends Mail {
  readonly from: string;
  readonly to: readonly string[];
  /** The bytes, as latin1. */
  readonly raw: string;
}

/**
 * The behaviour for a mail. `lose`: it is accepted, and the connection cut before the answer. `hang`: it is
 * accepted and never answered. `down`: the connection is cut before it is accepted. Else it is
 * refused: the sender, the receiver or the whole mail.
 */
type MailBehaviour =
  | "accept"
  | "lose"
  | "hang"
  | "down"
  | {
      readonly refuse: "sender" | "receiver" | "mail";
      readonly code: number;
      readonly words: string;
    };

/** A fake mail server that records its mails, with programmable behaviour. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** With the required name and password. */
  readonly url: string;
  readonly password: string;
  readonly mails: readonly ReceivedMail[];
  /** Sets the behaviour of the next mails, one each. */
  next(...behaviours: readonly MailBehaviour[]): void;
  always(behaviour: MailBehaviour): void;
  /** Resolves with the mail of this number, from 0. */
  mail(number: number): Promise<ReceivedMail>;
  close(): Promise<void>;
}

const login = { user: "daybook", password: "mail-password-0123456789" };

export async function smtpServer({ port: wanted = 0 } = {}): Promise<SmtpServer> {
  const mails: ReceivedMail[] = [];
  const queue: MailBehaviour[] = [];
  const heard = new EventTarget();
  const sockets = new Map<number, Socket>();
  let usual: MailBehaviour = "accept";
  const cut = ({ remotePort }: SMTPServerSession) => void sockets.get(remotePort)?.destroy();
  const take = (mail: ReceivedMail): void => {
    mails.push(mail);
    heard.dispatchEvent(new Event("mail"));
  };
  const server = new SMTPServer(rulesOf({ behaviour: () => queue.shift() ?? usual, take, cut }));
  server.on("error", () => undefined);
  server.server.on("connection", (socket) => {
    const { remotePort = 0 } = socket;
    sockets.set(remotePort, socket);
    socket.once("close", () => sockets.delete(remotePort));
  });
  server.listen(wanted, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  return {
    host: "127.0.0.1",
    port,
    url: `smtp://${login.user}:${login.password}@127.0.0.1:${port}`,
    password: login.password,
    mails,
    next: (...behaviours) => void queue.push(...behaviours),
    always: (behaviour) => void (usual = behaviour),
    async mail(number) {
      for (;;) {
        const found = mails[number];
        if (found !== undefined) return found;
        await once(heard, "mail");
      }
    },
    async close() {
      for (const socket of sockets.values()) socket.destroy();
      if (!server.server.listening) return;
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
}

interface Fixture {
  /** The behaviour of the current mail. */
  behaviour(): MailBehaviour;
  take(mail: ReceivedMail): void;
  cut(session: SMTPServerSession): void;
}

function rulesOf({ behaviour, take, cut }: Fixture): SMTPServerOptions {
  const met = new Map<string, MailBehaviour>();
  const refusal = ({ id }: SMTPServerSession, what: "sender" | "receiver" | "mail") => {
    const now = met.get(id);
    if (typeof now !== "object" || now.refuse !== what) return undefined;
    return Object.assign(new Error(now.words), { responseCode: now.code });
  };
  return {
    // There is no certificate for this machine.
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth({ username, password }, _, done) {
      const isKnown = username === login.user && password === login.password;
      if (isKnown) return done(null, { user: login.user });
      done(Object.assign(new Error("5.7.8 authentication failed"), { responseCode: 535 }));
    },
    onMailFrom(_, session, done) {
      const now = behaviour();
      met.set(session.id, now);
      if (now === "down") return cut(session);
      done(refusal(session, "sender"));
    },
    onRcptTo: (_, session, done) => done(refusal(session, "receiver")),
    onData(stream, session, done) {
      void buffer(stream).then((bytes) => {
        const refused = refusal(session, "mail");
        if (refused !== undefined) return done(refused);
        const { mailFrom, rcptTo } = session.envelope;
        const raw = bytes.toString("latin1");
        const from = mailFrom === false ? "" : mailFrom.address;
        take({ from, to: rcptTo.map(({ address }) => address), raw, ...readMail(raw) });
        const now = met.get(session.id);
        if (now === "lose") return cut(session);
        if (now !== "hang") done();
      });
    },
  };
}
