import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { makePerson, personId } from "./person.ts";

const rights = { owner: "mina", principal: "telegram:1", scopes: ["read"] } as const;
const mina = { channel: "telegram", sender: "1", name: "Mina", ...rights };

describe("a person", () => {
  test("is found by channel and sender, and no two of these are one", () => {
    const who = fc.record({
      channel: fc.constantFrom("telegram", "slack", "discord"),
      sender: fc.stringMatching(/^[\w:-]{1,12}$/),
    });
    fc.assert(
      fc.property(who, who, (one, other) => {
        const isSame = one.channel === other.channel && one.sender === other.sender;
        assert.equal(personId(one) === personId(other), isSame);
        assert.equal(makePerson({ ...mina, ...one }).id, personId(one));
      }),
    );
  });
  test("has a name on one short line, whatever they call themselves", () => {
    const { body } = makePerson({ ...mina, name: `a\u202E\n${"b".repeat(500)}` });
    assert.match(body.name, /^a. b{96}…$/u);
  });
  for (const [channel, sender] of [
    ["Tele gram", "1"],
    ["telegram", ""],
    ["telegram", "1 2"],
    ["telegram", "x\u0007"],
    ["telegram", "1".repeat(201)],
  ] as const) {
    test(`who is ${JSON.stringify([channel, sender.slice(0, 9)])} is nobody`, () => {
      assert.throws(() => makePerson({ ...mina, channel, sender }), { code: "invalid" });
    });
  }
});
