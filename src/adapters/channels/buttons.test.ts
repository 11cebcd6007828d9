import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "../../features/notifications/channel.ts";
import { writableTypes, type NotificationType } from "../../features/notifications/kind.ts";
import { buttonsFor } from "./buttons.ts";

const message: Message = {
  id: "01980000-0000-7000-8000-000000000001",
  owner: "me",
  address: "1",
  text: "약",
  type: "reminder",
  priority: "normal",
  at: 0,
  maybeRepeat: false,
  language: "en",
};

test("reminders and nags have buttons in the owner's language", () => {
  for (const type of [...writableTypes, "nag"] as const) {
    const buttons = buttonsFor({ ...message, type });
    assert.deepEqual(
      buttons.map(({ label }) => label),
      ["Done", "10 min", "1 hour", "Tomorrow"],
    );
    assert.deepEqual(
      buttons.map(({ data }) => data),
      ["done", "10m", "1h", "tomorrow"].map((action) => `${action}:${message.id}`),
    );
  }
  assert.deepEqual(
    buttonsFor({ ...message, language: "ko" }).map(({ label }) => label),
    ["완료", "10분", "1시간", "내일"],
  );
});

test("messages of the system and of runs have no buttons", () => {
  const types: NotificationType[] = ["notice", "digest", "run", "question", "progress_check"];
  for (const type of types) assert.deepEqual(buttonsFor({ ...message, type }), []);
});

test("button data over the chat's limit gives no buttons", () => {
  const longest = "x".repeat(64 - "tomorrow:".length);
  assert.equal(buttonsFor({ ...message, id: longest }).length, 4);
  assert.deepEqual(buttonsFor({ ...message, id: `${longest}x` }), []);
});
