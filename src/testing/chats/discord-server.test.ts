import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import { test, type TestContext } from "node:test";
import { discordServer } from "./discord-server.ts";
import { readDiscord } from "./discord-text.ts";

const jane = { id: "42", username: "jane" };

async function served(t: TestContext) {
  const server = await discordServer({ channels: { "1": {}, "2": { error: "Missing Access" } } });
  t.after(server.close);
  const headers = {
    authorization: `Bot ${server.token}`,
    "user-agent": "DiscordBot (https://daybook.example, 1.0)",
    "content-type": "application/json",
  };
  const ask = async (method: string, path: string, body?: object, more: object = {}) => {
    const answer = await fetch(`${server.apiUrl}/${path}`, {
      method,
      headers: { ...headers, ...more },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const said = (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
    return { status: answer.status, headers: answer.headers, said };
  };
  return { server, ask, say: (body: object) => ask("POST", "channels/1/messages", body) };
}

const quiet = { allowed_mentions: { parse: [] } };
const components = [
  { type: 1, components: [{ type: 2, style: 2, label: "Done", custom_id: "done:1" }] },
];

test("a message is shown as people see it, with buttons and without mentions", async (t) => {
  const { server, say } = await served(t);
  const { status, said } = await say({
    content: "**약** \\*raw\\* @everyone",
    ...quiet,
    components,
  });
  assert.equal(status, 200);
  assert.equal(server.messages[0]?.id, said["id"]);
  assert.equal(server.messages[0]?.text, "약 *raw* @everyone");
  assert.deepEqual(server.messages[0]?.pings, []);
  assert.deepEqual(server.messages[0]?.buttons, [{ text: "Done", data: "done:1" }]);
  await say({ content: "@everyone <@1> `@here` @\u200Bhere" });
  assert.deepEqual(server.messages[1]?.pings, ["everyone", "<@1>"]);
});

test("an invalid message is refused with the service's error", async (t) => {
  const { server, ask, say } = await served(t);
  const long = await say({ content: "x".repeat(2_001) });
  assert.deepEqual(
    [long.status, long.said],
    [
      400,
      {
        message: "Invalid Form Body",
        code: 50_035,
        errors: {
          content: {
            _errors: [
              { code: "BASE_TYPE_MAX_LENGTH", message: "Must be 2000 or fewer in length." },
            ],
          },
        },
      },
    ],
  );
  const codes = async (asking: ReturnType<typeof ask>) => {
    const { status, said } = await asking;
    return [status, said["code"]];
  };
  const text = { content: "x" };
  assert.deepEqual(await codes(say({ content: " " })), [400, 50_006]);
  assert.deepEqual(await codes(say({ ...text, contents: "x" })), [400, 50_035]);
  assert.deepEqual(await codes(ask("POST", "channels/2/messages", text)), [403, 50_001]);
  assert.deepEqual(await codes(ask("POST", "channels/3/messages", text)), [404, 10_003]);
  assert.deepEqual(await codes(ask("PATCH", "channels/1/messages/9", text)), [404, 10_008]);
  assert.deepEqual(await codes(ask("POST", "webhooks/1/token-9", text)), [404, 10_015]);
  const stranger = { authorization: "Bot wrong" };
  assert.deepEqual(await codes(ask("GET", "users/@me", undefined, stranger)), [401, 0]);
  const nameless = { "user-agent": "daybook" };
  assert.deepEqual(await codes(ask("GET", "users/@me", undefined, nameless)), [403, 40_333]);
  assert.deepEqual(server.messages, []);
});

test("an enforced nonce returns the same message", async (t) => {
  const { server, say } = await served(t);
  const once = { content: "x", nonce: "n-1", enforce_nonce: true };
  const [first, second] = [await say(once), await say(once)];
  assert.equal(first.said["id"], second.said["id"]);
  await say({ content: "x", nonce: "n-1" });
  assert.equal(server.messages.length, 2);
});

test("an edit changes the given fields only", async (t) => {
  const { server, ask, say } = await served(t);
  const { said } = await say({ content: "x", components });
  await ask("PATCH", `channels/1/messages/${String(said["id"])}`, { content: "x ✓" });
  assert.deepEqual([server.messages[0]?.text, server.messages[0]?.buttons.length], ["x ✓", 1]);
  await ask("PATCH", `channels/1/messages/${String(said["id"])}`, { components: [] });
  assert.deepEqual([server.messages[0]?.text, server.messages[0]?.buttons.length], ["x ✓", 0]);
});

test("the server can rate limit, and lose an answer or a message", async (t) => {
  const { server, say } = await served(t);
  server.busy(1, 0.5);
  const busy = await say({ content: "x" });
  assert.deepEqual(
    [busy.status, busy.headers.get("retry-after"), busy.said],
    [429, "1", { message: "You are being rate limited.", retry_after: 0.5, global: false }],
  );
  server.next("lose", "down");
  await assert.rejects(say({ content: "lost answer" }));
  await assert.rejects(say({ content: "never came" }));
  assert.deepEqual(
    server.messages.map(({ text }) => text),
    ["lost answer"],
  );
});

/** Verifies a signature as Discord's documentation describes. */
async function isSigned(request: Request, publicKey: string): Promise<boolean> {
  const body = await request.clone().text();
  const x = Buffer.from(publicKey, "hex").toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  const text = Buffer.from(`${request.headers.get("x-signature-timestamp") ?? ""}${body}`);
  const signature = Buffer.from(request.headers.get("x-signature-ed25519") ?? "", "hex");
  return verify(null, text, key, signature);
}

test("interactions are signed, and their responses take effect", async (t) => {
  const { server, ask, say } = await served(t);
  const heard: Record<string, unknown>[] = [];
  const answers: object[] = [
    { type: 7, data: { content: "x ✓", components: [] } },
    { type: 4, data: { content: "only you", flags: 64 } },
    { type: 5 },
  ];
  server.deliverTo(async (request) => {
    if (!(await isSigned(request, server.publicKey))) return new Response("", { status: 401 });
    heard.push((await request.json()) as Record<string, unknown>);
    return Response.json(answers.shift());
  });
  const { said } = await say({ content: "x", components });
  const pressed = await server.press(String(said["id"]), "done:1", jane);
  assert.equal(pressed.type, 7);
  assert.partialDeepStrictEqual(heard[0], {
    type: 3,
    data: { custom_id: "done:1", component_type: 2 },
    message: { id: said["id"] },
    channel_id: "1",
    member: { user: { id: "42" } },
  });
  assert.deepEqual([server.messages[0]?.text, server.messages[0]?.buttons], ["x ✓", []]);
  await server.command("1", jane, "remind", { what: "tea" });
  assert.partialDeepStrictEqual(heard[1], {
    type: 2,
    data: { name: "remind", options: [{ name: "what", type: 3, value: "tea" }] },
  });
  assert.deepEqual([server.messages[1]?.text, server.messages[1]?.isPrivate], ["only you", true]);
  await server.command("1", jane, "list");
  const path = `webhooks/900000000000000001/${String(heard[2]?.["token"])}`;
  await ask("PATCH", `${path}/messages/@original`, { content: "later" });
  await ask("POST", path, { content: "more" });
  assert.deepEqual(
    server.messages.slice(2).map(({ text }) => text),
    ["later", "more"],
  );
  assert.equal((await server.again(pressed.interaction, "forged")).status, 401);
});

test("a registration replaces all commands", async (t) => {
  const { server, ask } = await served(t);
  const { said } = await ask("GET", "applications/@me");
  const commands = [
    { name: "list", description: "What is to come", description_localizations: { ko: "목록" } },
  ];
  const path = `applications/${String(said["id"])}/commands`;
  assert.equal((await ask("PUT", path, commands)).status, 200);
  assert.deepEqual(server.commands, commands);
  assert.equal((await ask("PUT", path, [{ name: "Bad Name", description: "x" }])).status, 400);
});

test("Markdown is shown as in Discord", () => {
  const seen: readonly [source: string, text: string][] = [
    ["**a** *b* __c__ ~~d~~ ||e|| _f_", "a b c d e f"],
    ["snake_case_name 2*3*4x", "snake_case_name 234x"],
    ["`*a*` ``b`c`` ```ts\nlet *x*\n```", "*a* b`c let *x*\n"],
    ["\\*\\*a\\*\\* \\`b\\` \\[c\\](d)", "**a** `b` [c](d)"],
    ["[**a\\]**](https://a.example)", "a]"],
    ["> quoted\n# big", "quoted\nbig"],
  ];
  for (const [source, text] of seen) assert.equal(readDiscord(source).text, text);
});
