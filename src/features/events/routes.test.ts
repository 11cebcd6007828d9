import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, test, type TestContext } from "node:test";
import { httpFixture, type HttpFixture } from "../../../test/http-fixture.ts";
import type { Config } from "../../app/config/config.ts";
import { eventHookFrom } from "../../app/daemon/event-hooks.ts";
import { is } from "../../kernel/kind.ts";
import { provide } from "../../kernel/port.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { bodyBytesMax } from "../../platform/http-body.ts";
import { signedHeaders } from "../../platform/signature.ts";
import { type EventHook, eventHooks } from "./hook.ts";
import { type EventKind, eventKind } from "./kind.ts";

const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const shop: Config["hooks"][number] = {
  owner: "mina",
  name: "shop",
  verify: "standard",
  secrets: [secret],
};
const github: Config["hooks"][number] = {
  owner: "mina",
  name: "github",
  verify: "hub",
  secrets: ["hush"],
  ours: ["daybook-bot"],
  repos: ["querypie/*"],
};

function served(t: TestContext): Promise<HttpFixture> {
  const hooks = (name: string): EventHook | undefined => {
    const hook = eventHookFrom([shop, github], name);
    return hook && { ...hook, home: "mina" };
  };
  return httpFixture(
    t,
    {},
    provide(eventHooks, () => hooks),
  );
}

function post(
  fixture: HttpFixture,
  name: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(new URL(`/hooks/${name}`, fixture.url), { method: "POST", body, headers });
}

function order(
  fixture: HttpFixture,
  {
    id = "msg_1",
    at = fixture.clock.wall(),
    with: key = secret,
    body = '{"type":"order.paid"}',
  } = {},
): Promise<Response> {
  return post(fixture, "shop", body, signedHeaders(key, { id, body, now: at }) ?? {});
}

function review(fixture: HttpFixture, by: string, repo = "querypie/frontend"): Promise<Response> {
  const body = JSON.stringify({
    action: "review_requested",
    sender: { login: by },
    repository: { full_name: repo },
    pull_request: { number: 42, title: "Fix it", url: "https://api.github.com/x/pulls/42" },
  });
  return post(fixture, "github", body, {
    "x-github-event": "pull_request",
    "x-hub-signature-256": `sha256=${createHmac("sha256", "hush").update(body).digest("hex")}`,
  });
}

async function events(fixture: HttpFixture): Promise<readonly LedgerRecord<EventKind>[]> {
  const { records } = await fixture.ledger.of("mina", "x").list({ kind: eventKind });
  return records.filter((record) => is(eventKind, record));
}

describe("a hook", () => {
  test("takes what is signed, and answers once it is written", async (t) => {
    const fixture = await served(t);
    const answer = await order(fixture);
    assert.equal(answer.status, 202);
    assert.deepEqual(await answer.json(), { event: "evt-shop-msg_1" });
    const [event] = await events(fixture);
    assert.deepEqual(
      [event?.state, event?.body.type, event?.body.source, event?.by],
      ["pending", "shop.order.paid", "shop", "hook:shop"],
    );
  });
  test("told twice, the first counts, and the answer is the same", async (t) => {
    const fixture = await served(t);
    await order(fixture);
    const again = await order(fixture, { body: '{"type":"order.gone"}' });
    assert.equal(again.status, 202);
    assert.deepEqual(await again.json(), { event: "evt-shop-msg_1" });
    assert.deepEqual(
      (await events(fixture)).map(({ body }) => body.type),
      ["shop.order.paid"],
    );
  });
  test("refuses with 401 what is forged or kept, writes nothing, and guessing is slowed", async (t) => {
    const fixture = await served(t);
    const other = `whsec_${Buffer.alloc(24, 8).toString("base64")}`;
    assert.equal((await order(fixture, { with: other })).status, 401);
    assert.equal((await order(fixture, { at: fixture.clock.wall() - 6 * 60_000 })).status, 401);
    assert.equal((await post(fixture, "shop", "{}")).status, 401);
    const answers = await Promise.all(
      Array.from({ length: 15 }, () => post(fixture, "shop", "{}")),
    );
    assert.ok(answers.some(({ status }) => status === 429));
    assert.deepEqual(await events(fixture), []);
    assert.equal((await order(fixture)).status, 202, "who is right is not slowed");
  });
  test("drops what we did ourselves and what is out of scope, with thanks", async (t) => {
    const fixture = await served(t);
    assert.deepEqual(await (await review(fixture, "Daybook-Bot")).json(), { event: null });
    assert.deepEqual(await (await review(fixture, "mina", "else/where")).json(), { event: null });
    assert.deepEqual(await events(fixture), []);
    assert.equal((await review(fixture, "mina")).status, 202);
    assert.equal((await events(fixture))[0]?.body.type, "github.pr.review_requested");
  });
  test("answers a body that is too large, no JSON or too much to keep as what it is", async (t) => {
    const fixture = await served(t);
    assert.equal((await order(fixture, { body: "x".repeat(1_100_000) })).status, 413);
    assert.equal((await order(fixture, { body: "{" })).status, 422);
    const large = JSON.stringify({ text: "x".repeat(200_000) });
    assert.equal((await order(fixture, { body: large })).status, 413);
    assert.deepEqual(await events(fixture), []);
  });
  test("that nobody set is not there, and only a POST is taken", async (t) => {
    const fixture = await served(t);
    assert.equal((await post(fixture, "nobody", "{}")).status, 404);
    assert.equal((await fetch(new URL("/hooks/shop", fixture.url))).status, 401);
    const none = await httpFixture(t);
    assert.equal((await post(none, "shop", "{}")).status, 404);
  });
});

test("a chat service is heard without a token, at its name, with all it says", async (t) => {
  const fixture = await httpFixture(t, {
    chats: (name, request) =>
      name === "telegram"
        ? request.text().then((text) => new Response(`${text.length}`, { status: 202 }))
        : undefined,
  });
  const post = (name: string): Promise<Response> =>
    fetch(new URL(`/chats/${name}`, fixture.url), {
      method: "POST",
      body: "a".repeat(bodyBytesMax + 1),
    });
  const answer = await post("telegram");
  assert.deepEqual([answer.status, await answer.text()], [202, `${bodyBytesMax + 1}`]);
  assert.equal((await post("slack")).status, 404);
});
