import assert from "node:assert/strict";
import { test } from "node:test";
import { attachCommand, importRoute, routeOf, sessionOf } from "./routing.ts";

const all = { target: "ntfy:x", origin: "telegram:1", home: "email:a@b", owner: "mina" };

test("a target is the requested one, else the origin, else home, else the inbox", () => {
  assert.deepEqual(routeOf(all), { target: "ntfy:x", reason: "asked" });
  const { target: _, ...unnamed } = all;
  assert.deepEqual(routeOf(unnamed), { target: "telegram:1", reason: "origin" });
  assert.deepEqual(routeOf({ ...unnamed, origin: null }), { target: "email:a@b", reason: "home" });
  assert.deepEqual(routeOf({ ...unnamed, origin: null, home: null }), {
    target: "inbox:mina",
    reason: "inbox",
  });
});

test("an imported message goes to its owner's home, or without one to every listener", () => {
  const [owner, home] = ["mina", "email:a@b"];
  assert.deepEqual(importRoute({ owner, home }), { target: home, reason: "home" });
  assert.deepEqual(importRoute({ owner, home: null }), {
    target: "sessions:mina",
    reason: "import",
  });
});

test("the name of a session is scoped to its owner", () => {
  assert.equal(sessionOf("mina", "desk"), "session:mina/desk");
  assert.notEqual(sessionOf("mina", "kim/desk"), sessionOf("mina/kim", "desk"));
  assert.match(sessionOf("mina", "내 책상 \ud83d"), /^session:mina\/\S+$/);
});

test("the command to attach names the session of the target, as it is typed in a shell", () => {
  const commands = [
    ["inbox:mina", "daybook attach"],
    ["sessions:mina", "daybook attach"],
    [sessionOf("mina", "tab-7"), "daybook attach --session tab-7"],
    [sessionOf("mina", "it's 7"), "daybook attach --session 'it'\\''s 7'"],
    ["session:mina/%", "daybook attach"],
  ] as const;
  for (const [target, command] of commands) assert.equal(attachCommand(target), command);
});
