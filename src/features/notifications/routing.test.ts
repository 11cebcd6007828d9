import assert from "node:assert/strict";
import { test } from "node:test";
import { importRoute, routeOf, sessionOf } from "./routing.ts";

const all = { target: "ntfy:x", origin: "telegram:1", home: "email:a@b", owner: "mina" };

test("a message goes where it was asked to, else where it was asked, else home, else to the inbox", () => {
  assert.deepEqual(routeOf(all), { target: "ntfy:x", reason: "asked" });
  const { target: _, ...unnamed } = all;
  assert.deepEqual(routeOf(unnamed), { target: "telegram:1", reason: "origin" });
  assert.deepEqual(routeOf({ ...unnamed, origin: null }), { target: "email:a@b", reason: "home" });
  assert.deepEqual(routeOf({ ...unnamed, origin: null, home: null }), {
    target: "inbox:mina",
    reason: "inbox",
  });
});

test("what was imported goes to everybody of its owner who is there", () => {
  assert.deepEqual(importRoute("mina"), { target: "sessions:mina", reason: "import" });
});

test("a session is its owner's own, however it is called", () => {
  assert.equal(sessionOf("mina", "desk"), "session:mina/desk");
  assert.notEqual(sessionOf("mina", "kim/desk"), sessionOf("mina/kim", "desk"));
  assert.match(sessionOf("mina", "내 책상 \ud83d"), /^session:mina\/\S+$/);
});
