import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { Api, GrammyError, HttpError } from "grammy";
import { receiver } from "../channels/receiver.ts";
import { telegramServer } from "./telegram-server.ts";

const forum = -1_001_234;
const jane = { id: 7, first_name: "Jane", language_code: "en" };

async function served(t: TestContext) {
  const server = await telegramServer({
    chats: { 7: { type: "private" }, [forum]: { type: "supergroup", topics: [42] } },
  });
  t.after(server.close);
  return { server, api: new Api(server.token, { apiRoot: server.url }) };
}

const keyboard = { inline_keyboard: [[{ text: "Done", callback_data: "done:1" }]] };

/** The service's refusal. */
async function refusal(asking: Promise<unknown>): Promise<object> {
  const error: unknown = await asking.then(
    () => assert.fail("the call was accepted"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof GrammyError, String(error));
  const { error_code: code, description, parameters } = error;
  return { code, description, parameters };
}

test("a message is shown as people see it, in its topic, with its buttons", async (t) => {
  const { server, api } = await served(t);
  const sent = await api.sendMessage(forum, "<b>약</b> &lt;b&gt;\n", {
    parse_mode: "HTML",
    message_thread_id: 42,
    reply_markup: keyboard,
  });
  assert.equal(sent.text, "약 <b>");
  assert.equal(sent.chat.id, forum);
  assert.equal(sent.message_thread_id, 42);
  assert.deepEqual(sent.reply_markup, keyboard);
  assert.deepEqual(server.messages, [
    {
      id: sent.message_id,
      chat: forum,
      thread: 42,
      text: "약 <b>",
      entities: [{ type: "bold", offset: 0, length: 1 }],
      buttons: [{ text: "Done", data: "done:1" }],
      before: [],
    },
  ]);
});

test("the bot has a name, and a menu in each language", async (t) => {
  const { server, api } = await served(t);
  assert.equal((await api.getMe()).username, "DaybookBot");
  const help = [{ command: "help", description: "도움말" }];
  await api.setMyCommands(help, { language_code: "ko" });
  assert.deepEqual(server.commands.get("ko"), help);
});

test("an invalid message is refused with the service's error", async (t) => {
  const { server, api } = await served(t);
  server.chat(8, { type: "private", forbidden: "bot was blocked by the user" });
  server.chat(-9, { type: "group", migratedTo: forum });
  const bad = (words: string, parameters = {}) => ({
    code: 400,
    description: `Bad Request: ${words}`,
    parameters,
  });
  assert.deepEqual(await refusal(api.sendMessage(1, "x")), bad("chat not found"));
  assert.deepEqual(
    await refusal(api.sendMessage(forum, "x", { message_thread_id: 43 })),
    bad("message thread not found"),
  );
  assert.deepEqual(
    await refusal(api.sendMessage(7, "x", { message_thread_id: 1 })),
    bad("message thread not found"),
  );
  assert.deepEqual(await refusal(api.sendMessage(8, "x")), {
    code: 403,
    description: "Forbidden: bot was blocked by the user",
    parameters: {},
  });
  assert.deepEqual(
    await refusal(api.sendMessage(-9, "x")),
    bad("group chat was upgraded to a supergroup chat", { migrate_to_chat_id: forum }),
  );
  assert.deepEqual(
    await refusal(api.sendMessage(7, "<x>", { parse_mode: "HTML" })),
    bad('can\'t parse entities: Unsupported start tag "x" at byte offset 0'),
  );
  assert.deepEqual(
    await refusal(api.sendMessage(7, "x".repeat(4_097))),
    bad("message is too long"),
  );
  assert.deepEqual(await refusal(api.sendMessage(7, "")), bad("message text is empty"));
  assert.deepEqual(await refusal(api.sendMessage(7, " \n")), bad("text must be non-empty"));
  assert.deepEqual(
    await refusal(
      api.sendMessage(7, "x", {
        reply_markup: { inline_keyboard: [[{ text: "x", callback_data: "가".repeat(22) }]] },
      }),
    ),
    bad("BUTTON_DATA_INVALID"),
  );
  assert.deepEqual(server.messages, []);
});

test("the length limit counts the visible text", async (t) => {
  const { server, api } = await served(t);
  await api.sendMessage(7, `<b>${"&lt;".repeat(4_096)}</b>`, { parse_mode: "HTML" });
  assert.equal(server.messages[0]?.text.length, 4_096);
});

test("an unknown parameter or one of another type is refused", async (t) => {
  const { api } = await served(t);
  const raw = api.raw as unknown as { sendMessage(form: object): Promise<unknown> };
  for (const more of [{ parsemode: "HTML" }, { chat_id: "7" }, { parse_mode: "Markdown" }]) {
    const answer = await refusal(raw.sendMessage({ chat_id: 7, text: "x", ...more }));
    assert.match((answer as { description: string }).description, /^Bad Request: \w+/);
  }
});

test("a wrong token or method is refused", async (t) => {
  const { server } = await served(t);
  const stranger = new Api("1:wrong", { apiRoot: server.url });
  assert.deepEqual(await refusal(stranger.getMe()), {
    code: 401,
    description: "Unauthorized",
    parameters: {},
  });
  const { api } = await served(t);
  assert.deepEqual(await refusal(api.logOut()), {
    code: 404,
    description: "Not Found",
    parameters: {},
  });
});

test("an edit changes the visible text, and an equal edit is refused", async (t) => {
  const { server, api } = await served(t);
  const { message_id: id } = await api.sendMessage(7, "x", { reply_markup: keyboard });
  await api.editMessageText(7, id, "x ✓");
  assert.deepEqual(server.messages[0], {
    id,
    chat: 7,
    text: "x ✓",
    entities: [],
    buttons: [],
    before: [{ text: "x", buttons: [{ text: "Done", data: "done:1" }] }],
  });
  const same = (await refusal(api.editMessageText(7, id, "x ✓"))) as { description: string };
  assert.match(same.description, /^Bad Request: message is not modified: /);
  await api.editMessageReplyMarkup(7, id, { reply_markup: keyboard });
  assert.equal(server.messages[0]?.buttons.length, 1);
  const gone = (await refusal(api.editMessageText(7, 1, "x"))) as { description: string };
  assert.equal(gone.description, "Bad Request: message to edit not found");
});

test("a long poll returns messages and pressed buttons as they happen", async (t) => {
  const { server, api } = await served(t);
  const polling = api.getUpdates({ timeout: 30, allowed_updates: ["message", "callback_query"] });
  await server.called(({ path }) => path.endsWith("getUpdates"));
  server.say(forum, jane, "/list@DaybookBot all", { thread: 42 });
  const [said] = await polling;
  assert.partialDeepStrictEqual(said?.message, {
    text: "/list@DaybookBot all",
    message_thread_id: 42,
    is_topic_message: true,
    entities: [{ type: "bot_command", offset: 0, length: 16 }],
    // The message that created the topic.
    reply_to_message: { message_id: 42 },
  });
  const { message_id: id } = await api.sendMessage(7, "x", { reply_markup: keyboard });
  server.press(id, "done:1", jane);
  const [again, pressed] = await api.getUpdates({});
  assert.deepEqual(again, said, "unacknowledged updates are returned again");
  assert.partialDeepStrictEqual(pressed?.callback_query, {
    data: "done:1",
    message: { message_id: id },
  });
  await api.answerCallbackQuery(pressed?.callback_query?.id ?? "", { text: "done" });
  assert.deepEqual(
    server.toasts.map(({ text }) => text),
    ["done"],
  );
  assert.deepEqual(await api.getUpdates({ offset: (pressed?.update_id ?? 0) + 1 }), []);
  await server.updates.taken();
});

test("a reply names its message", async (t) => {
  const { server, api } = await served(t);
  const { message_id: id } = await api.sendMessage(forum, "?", { message_thread_id: 42 });
  server.say(forum, jane, "yes", { thread: 42, replyTo: id });
  const [said] = await api.getUpdates({});
  assert.equal(said?.message?.reply_to_message?.message_id, id);
  assert.equal(said?.message?.reply_to_message?.text, "?");
});

test("a second poller is refused, and so is polling beside a webhook", async (t) => {
  const { server, api } = await served(t);
  const first = refusal(api.getUpdates({ timeout: 30 }));
  await server.called(({ path }) => path.endsWith("getUpdates"));
  await api.getUpdates({ timeout: 0 });
  assert.equal(((await first) as { code: number }).code, 409);
  await api.setWebhook("http://127.0.0.1:9/");
  const beside = (await refusal(api.getUpdates({}))) as { description: string };
  assert.match(
    beside.description,
    /^Conflict: can't use getUpdates method while webhook is active/,
  );
});

test("a webhook gets updates with its secret, repeated until it accepts", async (t) => {
  const { server, api } = await served(t);
  const hook = await receiver(() => ({ status: 200 }));
  t.after(hook.close);
  hook.next({ status: 500 });
  await api.setWebhook(hook.url, { secret_token: "s3cret" });
  server.say(7, jane, "hi");
  await server.updates.taken();
  assert.equal(hook.requests.length, 2);
  const [, request] = hook.requests;
  assert.equal(request?.headers["x-telegram-bot-api-secret-token"], "s3cret");
  const update = JSON.parse(request?.body.toString() ?? "") as { message: { text: string } };
  assert.equal(update.message.text, "hi");
  assert.equal((await api.getWebhookInfo()).pending_update_count, 0);
});

test("an answer can be lost after the message, or the message itself", async (t) => {
  const { server, api } = await served(t);
  server.next("lose", "down");
  await assert.rejects(api.sendMessage(7, "lost answer"), HttpError);
  await assert.rejects(api.sendMessage(7, "never came"), HttpError);
  await api.sendMessage(7, "arrived");
  assert.deepEqual(
    server.messages.map(({ text }) => text),
    ["lost answer", "arrived"],
  );
});

test("the server can rate limit, be slow, hang or close", async (t) => {
  const { server, api } = await served(t);
  server.busy(1, 3);
  assert.deepEqual(await refusal(api.sendMessage(7, "x")), {
    code: 429,
    description: "Too Many Requests: retry after 3",
    parameters: { retry_after: 3 },
  });
  const told = Promise.withResolvers<void>();
  server.next({ after: told.promise }, "hang");
  const slow = api.sendMessage(7, "slow");
  await server.called(({ body }) => body.includes("slow"));
  assert.equal(server.messages.length, 1);
  told.resolve();
  assert.equal((await slow).text, "slow");
  const stop = new AbortController();
  // Its types are of another signal; it uses only what ours has.
  const signal = stop.signal as unknown as NonNullable<Parameters<Api["sendMessage"]>[3]>;
  const silent = api.sendMessage(7, "silent", {}, signal);
  await server.called(({ body }) => body.includes("silent"));
  assert.equal(server.messages.length, 2);
  stop.abort();
  await assert.rejects(silent);
  await server.close();
  await assert.rejects(api.sendMessage(7, "gone"), HttpError);
});
