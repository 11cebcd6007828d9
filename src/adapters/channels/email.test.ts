import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import type { Message } from "../../features/notifications/channel.ts";
import { readMarkdown } from "../../platform/markup/read.ts";
import { visible } from "../../platform/markup/runs.ts";
import { attempt, channelSuite } from "../../testing/channels/conformance.ts";
import { smtpServer } from "../../testing/chats/smtp.ts";
import { email } from "./email.ts";
import { smtp } from "./smtp.ts";

const sender = { from: "Daybook <daybook@example.com>", domain: "example.com" };

async function served(t: TestContext) {
  const peer = await smtpServer();
  t.after(peer.close);
  const transport = smtp({ url: peer.url });
  const channel = email({ transport, ...sender });
  const send = (part: Partial<Message> = {}, given: Parameters<typeof attempt>[0] = {}) =>
    channel.send({ ...message, ...part }, attempt(given));
  return { peer, transport, channel, send };
}

const message: Message = {
  id: "01980000-0000-7000-8000-000000000001",
  owner: "me",
  address: "mina@example.org",
  text: "약 먹을 시간",
  type: "reminder",
  priority: "normal",
  at: 1_800_000_000_000,
  maybeRepeat: false,
  language: "en",
};

const refusing = (code: number, words: string) => ({ refuse: "mail", code, words }) as const;

channelSuite("email", async (t) => {
  const { peer, channel } = await served(t);
  return {
    channel,
    address: "mina@example.org",
    secret: peer.password,
    sentCount: () => peer.mails.length,
    keys: () => peer.mails.map(({ headers }) => headers["message-id"]?.[0] ?? ""),
    hang() {
      peer.always("hang");
      return peer.mail(0);
    },
    faults: {
      "repeats the password": () => peer.always(refusing(554, `bad: ${peer.password}`)),
      "is busy and repeats the password": () => peer.always(refusing(451, peer.password)),
      "answers with control characters": () => peer.always(refusing(550, "\u001B[2J\u202E")),
      "refuses the connection": () => peer.close(),
      "cuts the connection": () => peer.always("down"),
      "loses the answer": () => peer.always("lose"),
    },
    seen: () => peer.mails.map(({ text = "", attached }) => attached?.content ?? text),
    shows: (text) => visible(readMarkdown(text)),
    fails: {
      lost: (skip) => peer.next(...Array.from({ length: skip }, () => "accept" as const), "lose"),
      refused: () => peer.always({ refuse: "receiver", code: 550, words: "5.1.1 no such mailbox" }),
    },
  };
});

test("a mail has text, HTML, a subject, and its message's id", async (t) => {
  const { peer, send } = await served(t);
  const text = "**약** 먹을 시간\n\na < b & [여기](https://a.example/)";
  const sent = await send({ text, priority: "high" });
  const messageId = `<${message.id}@example.com>`;
  assert.equal(sent.result, "delivered", JSON.stringify(sent));
  const receipt = (sent as { receipt: Record<string, unknown> }).receipt;
  assert.equal(receipt["messageId"], messageId);
  assert.deepEqual(receipt["accepted"], ["mina@example.org"]);
  const mail = await peer.mail(0);
  assert.equal(mail.from, "daybook@example.com");
  assert.deepEqual(mail.to, ["mina@example.org"]);
  const headers = Object.entries({
    "message-id": messageId,
    from: "Daybook <daybook@example.com>",
    to: "mina@example.org",
    subject: "약 먹을 시간 a < b & 여기",
    date: "Fri, 15 Jan 2027 08:00:00 +0000",
    importance: "High",
    "auto-submitted": "auto-generated",
  });
  for (const [name, value] of headers) assert.deepEqual(mail.headers[name], [value]);
  assert.equal(mail.headers["in-reply-to"], undefined);
  assert.equal(mail.text?.trim(), "약 먹을 시간\n\na < b & 여기");
  assert.match(mail.html ?? "", /a &lt; b &amp; <a href="https:\/\/a\.example\/"/);
});

test("a text too long for one mail is attached whole, below its beginning", async (t) => {
  const { peer, send } = await served(t);
  const text = Array.from({ length: 3_000 }, (_, line) =>
    line % 9 === 0 ? `${line}: **한 줄** & more` : `${line}: 한 줄 & more`,
  ).join("\n");
  const sent = await send({ text, type: "run", follows: "0000000012345678" });
  assert.equal(sent.result, "delivered", JSON.stringify(sent));
  const { attached, text: shown = "", html = "" } = await peer.mail(0);
  assert.deepEqual(attached, { name: "output-12345678.txt", content: text });
  assert.match(shown, /^0: 한 줄 & more\n1: 한 줄 & more\n/);
  assert.match(shown, /\d+: 한 줄 & more\n…\n\nThe complete text is attached\.\s*$/);
  assert.match(html, /<b>한 줄<\/b>|<strong>한 줄<\/strong>/);
  await send({ text: "x".repeat(50_000), language: "ko" });
  const second = await peer.mail(1);
  assert.equal(second.attached?.content, "x".repeat(50_000));
  assert.match(second.text ?? "", /^x+…\n\n전체 내용은 첨부 파일에 있습니다\.\s*$/);
  await send({ text: "y".repeat(20_000) });
  const { attached: none, text: whole = "" } = await peer.mail(2);
  assert.deepEqual([none, whole.trim()], [undefined, "y".repeat(20_000)]);
});

test("a follow-up is in the thread of its first message", async (t) => {
  const { peer, send } = await served(t);
  await send({ id: "copy", follows: message.id });
  const parent = [`<${message.id}@example.com>`];
  assert.deepEqual(peer.mails[0]?.headers["in-reply-to"], parent);
  assert.deepEqual(peer.mails[0]?.headers["references"], parent);
  assert.deepEqual(peer.mails[0]?.headers["message-id"], ["<copy@example.com>"]);
});

test("a text cannot add headers or recipients", async (t) => {
  const { peer, send } = await served(t);
  await send({ text: "hi\r\nBcc: eve@example.org\r\n\r\nbody\r\n.\r\nRCPT TO:<eve@example.org>" });
  assert.equal(peer.mails.length, 1);
  assert.equal(peer.mails[0]?.headers["bcc"], undefined);
  assert.deepEqual(peer.mails[0]?.to, ["mina@example.org"]);
  for (const address of ["a@b.example\r\nBcc: x@y.example", "a@b.example,c@d.example", "a"]) {
    const sent = await send({ address });
    assert.equal(sent.result, "rejected", address);
  }
  assert.equal(peer.mails.length, 1);
});

test("a line end in a header value is refused before sending", async (t) => {
  const { peer, transport } = await served(t);
  const mail = { to: "a@b.example", subject: "s", text: "t", html: "h", messageId: "<a@b>", at: 0 };
  const fullMessage = { ...mail, from: "a@b.example", priority: "normal" } as const;
  const { signal } = new AbortController();
  for (const name of ["from", "to", "subject", "messageId", "inReplyTo"]) {
    const sending = transport.send({ ...fullMessage, [name]: "x\r\nBcc: eve@example.org" }, signal);
    await assert.rejects(sending, { code: "invalid", message: new RegExp(`"${name}"`) });
  }
  const channel = email({ transport, from: "Day\nbook <a@b.example>", domain: "example.com" });
  assert.equal((await channel.send(message, attempt())).result, "rejected");
  assert.deepEqual(peer.mails, []);
});

test("a temporary refusal is retried, and a permanent one is rejected", async (t) => {
  const { peer, send } = await served(t);
  for (const refuse of ["sender", "receiver", "mail"] as const) {
    peer.next(
      { refuse, code: 450, words: "4.2.0 greylisted" },
      { refuse, code: 550, words: "5.7.1 no" },
    );
    const passing = await send();
    assert.equal(passing.result, "retry", `${refuse}: ${JSON.stringify(passing)}`);
    assert.match("reason" in passing ? passing.reason : "", /450.*greylisted/);
    assert.equal("destinationDown" in passing, false);
    const final = await send();
    assert.equal(final.result, "rejected", `${refuse}: ${JSON.stringify(final)}`);
    assert.match("reason" in final ? final.reason : "", /550.*5\.7\.1 no/);
  }
  peer.next(refusing(421, "closing"));
  const closing = await send();
  assert.equal(closing.result === "retry" && closing.destinationDown, true);
  assert.deepEqual(peer.mails, []);
});

test("a fully sent mail is unknown after a cut, and a partly sent one is retried", async (t) => {
  const { peer, send } = await served(t);
  peer.next("lose", "down");
  assert.equal((await send()).result, "unknown");
  const cut = await send({ maybeRepeat: true });
  assert.equal(cut.result, "retry", JSON.stringify(cut));
  assert.equal((await send({ maybeRepeat: true })).result, "delivered");
  const [first, second] = peer.mails.map(({ headers }) => headers["message-id"]?.[0]);
  assert.equal(first, second);
});

test("a server that does not answer after the mail makes it unknown", async (t) => {
  const { peer } = await served(t);
  const transport = smtp({ url: peer.url, timeoutMs: 2_000 });
  peer.always("hang");
  const sent = await email({ transport, ...sender }).send(message, attempt());
  assert.equal(sent.result, "unknown");
  assert.equal(peer.mails.length, 1);
});

test("a server that never greets is down, and gets no mail", async (t) => {
  const silent = createServer(() => undefined).listen(0, "127.0.0.1");
  t.after(() => silent.close());
  await once(silent, "listening");
  const url = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const transport = smtp({ url, timeoutMs: 200 });
  const sent = await email({ transport, ...sender }).send(message, attempt());
  assert.deepEqual({ ...sent, reason: "" }, { result: "retry", reason: "", destinationDown: true });
});

test("a wrong password has its own reason, which does not repeat it", async (t) => {
  const { peer } = await served(t);
  const transport = smtp({ url: `smtp://daybook:hunter2@127.0.0.1:${peer.port}` });
  const sent = await email({ transport, ...sender }).send(message, attempt());
  assert.equal(sent.result, "rejected");
  assert.match("reason" in sent ? sent.reason : "", /check the name and the password/);
  assert.doesNotMatch(JSON.stringify(sent), /hunter2/);
});

test("a password is not sent in the clear to another machine", async (t) => {
  const { peer } = await served(t);
  // The same server, under an address that does not look like this machine.
  const url = `smtp://daybook:${peer.password}@[::ffff:127.0.0.1]:${peer.port}`;
  const sent = await email({ transport: smtp({ url }), ...sender }).send(message, attempt());
  assert.equal(sent.result, "rejected", JSON.stringify(sent));
  assert.match("reason" in sent ? sent.reason : "", /TLS/);
  assert.deepEqual(peer.mails, []);
});

test("an unreadable server URL is refused at once", () => {
  for (const url of [
    "",
    "mail.example.com",
    "https://mail.example.com",
    "smtp://",
    "smtp://a:%@b",
  ]) {
    assert.throws(() => smtp({ url }), { code: "invalid", message: /smtp:\/\// });
  }
});

test("a missing package names what to install, and the message is retried", async (t) => {
  const { peer } = await served(t);
  const load = () => Promise.reject(new Error("Cannot find package"));
  const transport = smtp({ url: peer.url, load });
  const sent = await email({ transport, ...sender }).send(message, attempt());
  assert.equal(sent.result, "retry");
  assert.match("reason" in sent ? sent.reason : "", /npm install nodemailer/);
});
