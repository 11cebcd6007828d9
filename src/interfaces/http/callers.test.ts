import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { handClock } from "../../../test/hand-clock.ts";
import { browserSessions } from "./browser-sessions.ts";
import { callers, type Auth } from "./callers.ts";
import { failureLimit } from "./guard.ts";

/** Where a request with this header is answered, of whoever has the token "mina" or "jun". */
async function originOf(session: string, token = "mina", auth?: Auth): Promise<string | null> {
  const clock = handClock();
  const found = callers({
    tokens: (owner) => Promise.resolve({ owner, by: owner, scopes: ["write"], origin: null }),
    isTokenGood: () => Promise.resolve(true),
    browsers: browserSessions({ clock, randomBytes: (count) => new Uint8Array(count) }),
    failures: failureLimit(clock.mono),
    ...(auth && { auth }),
  });
  const headers = { authorization: `Bearer ${token}`, "daybook-session": session };
  const { origin } = await found.find(new Request("http://daybook/", { headers }), {});
  return origin;
}

describe("a session that is named", () => {
  test("is where it is answered, and is one of the token's own owner", async () => {
    assert.equal(await originOf("desk"), "session:mina/desk");
    assert.equal(await originOf("desk", "jun"), "session:jun/desk");
    assert.equal(
      await originOf(encodeURIComponent("내 책상")),
      "session:mina/%EB%82%B4%20%EC%B1%85%EC%83%81",
    );
    assert.equal(await originOf(encodeURIComponent("../jun/desk")), "session:mina/..%2Fjun%2Fdesk");
    assert.equal(await originOf(""), null);
  });
  test("counts for nothing where the program around us says who asks and where", async () => {
    const host: Auth = () => ({ owner: "mina", scopes: ["write"], origin: "slack:C1" });
    assert.equal(await originOf("desk", "mina", host), "slack:C1");
  });
  test("that cannot be read is refused with what to do", async () => {
    await assert.rejects(originOf("%E0%A4"), { status: 400, message: /write it as a URL does/ });
  });
});
