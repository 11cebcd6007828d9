import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { signedHeaders } from "../../platform/signature.ts";
import { verifyFault, type Hook, type Post } from "./webhook.ts";

const now = Date.UTC(2026, 1, 7, 10);
const text = JSON.stringify({ type: "deploy.done", 무엇: "배포" });
const body = new TextEncoder().encode(text);
const whsec = `whsec_${Buffer.from("a secret of twenty-four b").toString("base64")}`;

const hub: Hook = { name: "github", verify: "hub", secrets: ["old", "new"] };
const standard: Hook = { name: "shop", verify: "standard", secrets: [whsec] };
const bearer: Hook = { name: "broker", verify: "bearer", secrets: ["token-1"] };

function hubPost(secret: string): Post {
  const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  return { headers: { "x-hub-signature-256": signature }, body, now };
}

function standardPost(at = now): Post {
  const headers = signedHeaders(whsec, { id: "msg_1", body: text, now: at }) ?? {};
  return { headers, body, now };
}

function bearerPost(token: string): Post {
  return { headers: { authorization: `Bearer ${token}` }, body, now };
}

test("a current or a rotated secret is accepted", () => {
  assert.equal(verifyFault(hub, hubPost("old")), undefined);
  assert.equal(verifyFault(hub, hubPost("new")), undefined);
  assert.equal(verifyFault(standard, standardPost()), undefined);
  assert.equal(verifyFault(bearer, bearerPost("token-1")), undefined);
});

test("GitHub's own example of a signature is valid", () => {
  const known: Hook = { name: "github", verify: "hub", secrets: ["It's a Secret to Everybody"] };
  const signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
  const headers = { "x-hub-signature-256": signature };
  const hello = new TextEncoder().encode("Hello, World!");
  assert.equal(verifyFault(known, { headers, body: hello, now }), undefined);
});

test("a request without a valid secret is refused", () => {
  const good = hubPost("old").headers["x-hub-signature-256"] ?? "";
  const tries: [Hook, Post][] = [
    [hub, hubPost("wrong")],
    [hub, { headers: {}, body, now }],
    [hub, { headers: { "x-hub-signature-256": "sha256=" }, body, now }],
    [hub, { headers: { "x-hub-signature-256": good.slice(0, -1) }, body, now }],
    [hub, { headers: { "x-hub-signature": good }, body, now }],
    [hub, standardPost()],
    [hub, bearerPost("old")],
    [standard, hubPost(whsec)],
    [
      standard,
      { ...standardPost(), headers: { ...standardPost().headers, "webhook-id": "msg_2" } },
    ],
    [
      standard,
      { ...standardPost(), headers: { ...standardPost().headers, "webhook-signature": "v1," } },
    ],
    [standard, { headers: {}, body, now }],
    [bearer, bearerPost("token-2")],
    [bearer, bearerPost("")],
    [bearer, { headers: { authorization: "Basic dG9rZW4tMQ==" }, body, now }],
  ];
  for (const [hook, post] of tries)
    assert.match(verifyFault(hook, post) ?? "", /\w/, JSON.stringify(post));
});

test("a replayed request expires after five minutes; a future one is refused", () => {
  assert.equal(verifyFault(standard, standardPost(now - 299_000)), undefined);
  assert.match(verifyFault(standard, standardPost(now - 301_000)) ?? "", /too old/);
  assert.match(verifyFault(standard, standardPost(now + 301_000)) ?? "", /too old/);
});

test("a hook without a secret refuses all requests, even an empty signature", () => {
  for (const secrets of [[], [""]]) {
    for (const verify of ["hub", "standard", "bearer"] as const) {
      const hook: Hook = { name: "open", verify, secrets };
      for (const post of [hubPost(""), standardPost(), bearerPost("")]) {
        assert.match(verifyFault(hook, post) ?? "", /no secret/);
      }
    }
  }
});

test("a body that differs by one byte is refused", () => {
  fc.assert(
    fc.property(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), (place, by) => {
      const other = Uint8Array.from(body, (byte, index) => (index === place ? byte ^ by : byte));
      assert.ok(verifyFault(hub, { ...hubPost("old"), body: other }));
      assert.ok(verifyFault(standard, { ...standardPost(), body: other }));
    }),
  );
});
