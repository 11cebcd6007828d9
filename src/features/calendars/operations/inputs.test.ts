import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Context } from "../../../kernel/operation.ts";
import { overridePorts, portsFrom, provide } from "../../../kernel/port.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { calendarSettings, sealer } from "../ports.ts";
import { accountOf } from "./inputs.ts";

const server = { url: "https://calendar.example.org/", username: "mina" };
const seals = provide(sealer, () => ({
  seal: (text: string) => `sealed ${text}`,
  open: (text: string) => text,
}));
const settings = provide(calendarSettings, () => ({ allow: [], pollMs: 60_000 }));

/** As far as an account reads it. */
function contextWith(...scopes: readonly Scope[]): Context {
  const ports = overridePorts(portsFrom([settings]), seals);
  return { scopes, use: ports.use } as Pick<Context, "scopes" | "use"> as Context;
}

describe("a secret of an account", () => {
  test("given as text is sealed", () => {
    const account = accountOf("caldav", { ...server, password: "p" }, contextWith("write"));
    assert.deepEqual("password" in account && account.password, { sealed: "sealed p" });
  });
  test("names a variable of the daemon only for who may run commands as its user", () => {
    const input = { ...server, password: { env: "HOME" } };
    const allowed = accountOf("caldav", input, contextWith("write", "run"));
    assert.deepEqual("password" in allowed && allowed.password, { env: "HOME" });
    assert.throws(() => accountOf("caldav", input, contextWith("read", "write")), {
      code: "refused",
      message: /only by a token with the scope "run"/,
    });
  });
});

test("a CalDAV account names its calendar, or leaves it to the URL", () => {
  const given = { ...server, password: "p" };
  const context = contextWith("write");
  const collectionOf = (input: typeof given & { calendar_id?: string }) => {
    const account = accountOf("caldav", input, context);
    return "collection" in account && account.collection;
  };
  assert.equal(collectionOf(given), server.url);
  assert.equal(collectionOf({ ...given, calendar_id: "Work" }), "Work");
});
