import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { isProcessGone, processIdentity } from "./process-identity.ts";

const own = processIdentity();
const options = { skip: own === undefined ? "there is no /proc here" : false };

test("a reused pid counts neither as alive nor as dead wrongly", options, async () => {
  const identity = own ?? assert.fail();
  assert.equal(isProcessGone(process.pid, identity), false);
  const before = { ...identity, startedAt: String(Number(identity.startedAt) - 1) };
  assert.equal(isProcessGone(process.pid, before), true, "another process has its number now");

  const child = spawn("sleep", ["60"]);
  const pid = child.pid ?? assert.fail();
  const known = processIdentity(pid) ?? assert.fail();
  assert.equal(isProcessGone(pid, known), false);
  child.kill("SIGKILL");
  await once(child, "exit");
  assert.equal(isProcessGone(pid, known), true);
});

test(
  "of a process of another machine, another boot or another container nobody can tell",
  options,
  () => {
    const { space, startedAt } = own ?? assert.fail();
    const [boot = "", numbers = ""] = space.split(" ");
    for (const other of [`${boot} pid:[1]`, `00000000 ${numbers}`, ""]) {
      assert.equal(isProcessGone(2 ** 22 + 1, { space: other, startedAt }), false, other);
    }
  },
);
