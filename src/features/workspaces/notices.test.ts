import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { claimedWorkspace } from "../../testing/workspace-records.ts";
import { errorNotices } from "./error-verdict.ts";

const record = claimedWorkspace({
  body: { target: "telegram:7" },
  outcome: { operation: "ARCHIVING" },
});
const fault = {
  reason: "Unreachable",
  message: "Is the engine up?",
  context: {},
  occurredAt: 5,
} as const;

function notices(language: "en" | "ko", administrator: string | null): readonly string[] {
  const about = { reader: { zone: "UTC", language }, administrator };
  return errorNotices(record, fault, about, 7).map(({ body, lane, ...draft }) => {
    assert.equal(body.type, "notice");
    assert.equal(body.at, 7);
    assert.equal(lane, body.target);
    assert.ok("state" in draft && draft.wakeAt === 7);
    return `${body.target} ${body.message}`;
  });
}

describe("the notices of an ERROR", () => {
  test("go to the targets of the owner and the administrator, each with its own text", () => {
    const [own, administrators, ...others] = notices("en", "slack:ops");
    assert.match(own ?? "", /^telegram:7 .*'dev' is in ERROR while ARCHIVING.*recover dev$/s);
    assert.match(administrators ?? "", /^slack:ops .*'dev' of mina is in ERROR/);
    assert.deepEqual(others, []);
  });

  test("are in the language of the owner", () => {
    const both = notices("ko", "slack:ops");
    assert.equal(both.length, 2);
    for (const text of both) assert.match(text, /작업 공간 'dev'.*ARCHIVING 중/);
  });

  test("go to no target twice, and to none that is not set", () => {
    assert.equal(notices("en", null).length, 1);
    assert.equal(notices("en", "telegram:7").length, 1);
  });
});
