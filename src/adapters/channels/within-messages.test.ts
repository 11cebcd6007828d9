import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "../../features/notifications/channel.ts";
import { plainPieces } from "./parts.ts";
import { withinMessages } from "./within-messages.ts";

const message: Message = {
  id: "n1",
  owner: "me",
  address: "a",
  text: "",
  type: "run",
  priority: "normal",
  at: 0,
  maybeRepeat: false,
  language: "en",
};

const split = withinMessages(plainPieces({ sizeMax: 30 }), { charsMax: 30, messagesMax: 3 });
const line = "x".repeat(29);

test("a text is sent in as many messages as are set, or as its beginning and a file", () => {
  const shown = (text: string, more: Partial<Message> = {}) =>
    split({ ...message, text, ...more }).map((piece) => piece.file ?? piece.text);
  assert.deepEqual(shown(`${line}\n${line}\n${line}`), [line, line, line]);
  const long = Array.from({ length: 50 }, () => line).join("\n");
  for (const text of [`${line}\n`.repeat(4), long]) {
    assert.deepEqual(shown(text, { follows: "0123456789abcdef" }), [
      line,
      { name: "output-89abcdef.txt", content: text },
    ]);
  }
  assert.equal(split({ ...message, text: long, language: "ko" })[1]?.text, "전체 내용");
});

test("a message with buttons is sent in messages alone, since a file has none", () => {
  const pieces = split({ ...message, type: "reminder", text: `${line}\n`.repeat(9) });
  assert.equal(pieces.length, 9);
  assert.ok(pieces.every(({ file }) => file === undefined));
});
