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
    const old = {
      url: "http://127.0.0.1:1",
      pid: process.pid,
      version: "1",
      startedAt: 5,
      problem: null,
      refused: null,
    };
    const daemon = { ...old, settingsFile: "/a/daybook.yaml", cwd: "/a", needsRestart: ["store"] };
    home.writeDaemon(daemon);
    assert.deepEqual(home.readDaemon(), daemon);
    writeFileSync(join(at, "daemon.json"), JSON.stringify(old)); // as an older one wrote it
    const unknown = { settingsFile: null, cwd: null, needsRestart: [] };
    assert.deepEqual(home.readDaemon(), { ...old, ...unknown });
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
