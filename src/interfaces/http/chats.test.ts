import assert from "node:assert/strict";
import { test } from "node:test";
import { httpStage } from "../../../test/http-stage.ts";
import { bodyBytesMax } from "./body.ts";

test("a chat service is heard without a token, at its name, with all it says", async (t) => {
  const stage = await httpStage(t, {
    chats: (name, request) =>
      name === "telegram"
        ? request.text().then((text) => new Response(`${text.length}`, { status: 202 }))
        : undefined,
  });
  const post = (name: string): Promise<Response> =>
    fetch(new URL(`/chats/${name}`, stage.url), {
      method: "POST",
      body: "a".repeat(bodyBytesMax + 1),
    });
  const answer = await post("telegram");
  assert.deepEqual([answer.status, await answer.text()], [202, `${bodyBytesMax + 1}`]);
  assert.equal((await post("slack")).status, 404);
});
