import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { folder } from "../../../test/child.ts";
import { homeIn } from "./home.ts";

describe("a home", () => {
  test("says where its daemon is, and nothing when that was cut off", (t) => {
    const at = folder(t);
    const home = homeIn(at);
    assert.equal(home.readDaemon(), undefined);
    const daemon = {
      url: "http://127.0.0.1:1",
      pid: process.pid,
      version: "1",
      startedAt: 5,
      problem: null,
      refused: null,
    };
    home.writeDaemon({ ...daemon, needsRestart: ["store"] });
    assert.deepEqual(home.readDaemon(), { ...daemon, needsRestart: ["store"] });
    writeFileSync(join(at, "daemon.json"), JSON.stringify(daemon)); // as an older one wrote it
    assert.deepEqual(home.readDaemon(), { ...daemon, needsRestart: [] });
    writeFileSync(join(at, "daemon.json"), '{"url":"http://127');
    assert.equal(home.readDaemon(), undefined);
    home.removeDaemon();
    home.removeDaemon();
  });
  test("that cannot be written to says so", (t) => {
    const at = folder(t);
    writeFileSync(join(at, "file"), "");
    const home = homeIn(join(at, "file"));
    assert.throws(() => home.writeToken("x"), { code: "unavailable", message: /choose a folder/ });
  });
});
