import assert from "node:assert/strict";
import { test } from "node:test";
import { isSigned, signatureOf } from "./signature.ts";

// The example that the libraries of Standard Webhooks share, and two computed with
// `printf '%s' 'id.timestamp.body' | openssl dgst -sha256 -mac HMAC -macopt hexkey:… -binary | base64`.
const vectors = [
  {
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    signed: {
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
      timestamp: 1_614_265_330,
      body: '{"test": 2432232314}',
    },
    signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  },
  {
    secret: "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX",
    signed: { id: "01980000-0000-7000-8000-000000000001", timestamp: 1_800_000_000, body: "안녕" },
    signature: "v1,heieT4iod4gUwYZ7beT/KgfT6Xm6LMkW3r+hibEn5Kc=",
  },
  {
    secret: "whsec_//////////////////////////////////////////8=",
    signed: { id: "a", timestamp: 0, body: "" },
    signature: "v1,L1AX86U/jaQOC5wlB4WW313HHCQyBstajFeXeTbS5O4=",
  },
];

test("a signature equals that of the specification's libraries", () => {
  for (const { secret, signed, signature } of vectors) {
    assert.equal(signatureOf(secret, signed), signature);
  }
});

test("a secret that is not whsec_ and base64 signs nothing", () => {
  const signed = { id: "a", timestamp: 0, body: "" };
  const wrong = ["", "whsec_", "whsec_short", "plain", "WHSEC_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"];
  for (const secret of [...wrong, "whsec_AAECAwQFBgcICQoL DA0ODxAREhMUFRYX\n"]) {
    assert.equal(signatureOf(secret, signed), undefined, secret);
  }
});

test("a header is valid when one of its signatures is", () => {
  for (const { secret, signed, signature } of vectors) {
    assert.ok(isSigned(secret, signed, signature));
    assert.ok(isSigned(secret, signed, `v1a,other v1,c2hvcnQ= ${signature}`));
    const forged = ["", signature.slice(0, -1), signature.slice("v1,".length), `${signature}=`];
    for (const header of forged) assert.ok(!isSigned(secret, signed, header), header);
    assert.ok(!isSigned(secret, { ...signed, body: `${signed.body} ` }, signature));
    assert.ok(!isSigned(secret, { ...signed, id: `${signed.id}x` }, signature));
    assert.ok(!isSigned(secret, { ...signed, timestamp: signed.timestamp + 1 }, signature));
  }
});

test("an invalid secret verifies nothing", () => {
  const signed = { id: "a", timestamp: 0, body: "" };
  for (const header of ["", " ", "v1,"]) assert.ok(!isSigned("plain", signed, header));
});
