import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { makePerson, personId } from "./person.ts";

const rights = { owner: "mina", principal: "telegram:1", scopes: ["read"] } as const;
const mina = { channel: "telegram", sender: "1", name: "Mina", ...rights };

describe("a person", () => {
  test("has an id that is distinct for each channel and sender", () => {
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
  test("has a name of one short line, however long the display name is", () => {
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
    test(`with the channel and sender ${JSON.stringify([channel, sender.slice(0, 9)])} is refused`, () => {
      assert.throws(() => makePerson({ ...mina, channel, sender }), { code: "invalid" });
    });
  }
});
