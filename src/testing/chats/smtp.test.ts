import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import fc from "fast-check";
import { createTransport } from "nodemailer";
import { smtpServer } from "./smtp.ts";

async function served(t: TestContext) {
  const server = await smtpServer();
  t.after(server.close);
  const transport = createTransport(server.url);
  const send = (more: object = {}) =>
    transport.sendMail({ from: "daybook@a.example", to: "jane@a.example", text: "x", ...more });
  return { server, send };
}

/** The status of the refusal. */
async function refusal(sending: Promise<unknown>): Promise<unknown> {
  const error: unknown = await sending.then(
    () => assert.fail("the call was accepted"),
    (reason: unknown) => reason,
  );
  return (error as { responseCode?: number }).responseCode;
}

test("a mail is parsed as its recipient reads it", async (t) => {
  const { server, send } = await served(t);
  const sent = await send({
    subject: "약 먹을 시간, 그리고 아주 긴 제목 ".repeat(4),
    text: "약 = 2\n끝",
    html: "<p>약 &amp; 물</p>",
    messageId: "<m1@a.example>",
  });
  assert.deepEqual(sent.accepted, ["jane@a.example"]);
  const [mail] = server.mails;
  assert.equal(mail?.from, "daybook@a.example");
  assert.deepEqual(mail?.to, ["jane@a.example"]);
  assert.deepEqual(mail?.headers["message-id"], ["<m1@a.example>"]);
  assert.equal(mail?.headers["subject"]?.[0], "약 먹을 시간, 그리고 아주 긴 제목 ".repeat(4));
  assert.equal(mail?.text?.trimEnd(), "약 = 2\n끝");
  assert.equal(mail?.html?.trimEnd(), "<p>약 &amp; 물</p>");
});

test("any text arrives unchanged", async (t) => {
  const { server, send } = await served(t);
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 300 }), async (text) => {
      await send({ text: `${text}|`, html: `<b>${text}</b>|` });
      const plain = text.replaceAll(/\r\n?/g, "\n");
      assert.equal(server.mails.at(-1)?.text?.trimEnd(), `${plain}|`);
      assert.equal(server.mails.at(-1)?.html?.trimEnd(), `<b>${plain}</b>|`);
    }),
    { numRuns: 30 },
  );
});

test("a mail can be refused at every step, and is not stored then", async (t) => {
  const { server, send } = await served(t);
  server.next(
    { refuse: "sender", code: 451, words: "4.3.0 try again" },
    { refuse: "receiver", code: 550, words: "5.1.1 no such user" },
    { refuse: "mail", code: 554, words: "5.6.0 refused" },
  );
  assert.equal(await refusal(send()), 451);
  assert.equal(await refusal(send()), 550);
  assert.equal(await refusal(send()), 554);
  assert.deepEqual(server.mails, []);
  await send();
  assert.equal(server.mails.length, 1);
});

test("an answer can be lost after the mail, or the mail itself", async (t) => {
  const { server, send } = await served(t);
  server.next("lose", "down");
  await assert.rejects(send({ subject: "lost answer" }));
  await assert.rejects(send({ subject: "never came" }));
  assert.deepEqual(
    server.mails.map(({ headers }) => headers["subject"]),
    [["lost answer"]],
  );
});

test("the server can hang after a mail, or close", async (t) => {
  const { server, send } = await served(t);
  server.next("hang");
  const silent = assert.rejects(send());
  await server.mail(0);
  await server.close();
  await silent;
  await assert.rejects(send(), { code: "ESOCKET" });
});

test("a wrong password is refused", async (t) => {
  const { server } = await served(t);
  const stranger = createTransport(server.url.replace(server.password, "wrong"));
  const mail = { from: "a@a.example", to: "b@a.example", text: "x" };
  assert.equal(await refusal(stranger.sendMail(mail)), 535);
});
