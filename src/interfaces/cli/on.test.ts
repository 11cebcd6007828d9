import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture } from "../../../test/book-fixture.ts";
import { terminal, type } from "../../../test/terminal.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { CliPorts } from "./command.ts";

type Asked = Parameters<CliPorts["config"]["add"]>[0];

const settingsFile = "/x/daybook.yaml";
const reached = { url: "http://127.0.0.1:1", token: "t", tokenFile: "f", pid: 1, settingsFile };

/** A terminal that writes into no file, beside a daemon that answers so. */
function beside(daemon: "none" | "takes it" | DaybookError, change: Partial<CliPorts> = {}) {
  const asked: Asked[] = [];
  const files: (string | undefined)[] = [];
  const called: string[] = [];
  const ports: Partial<CliPorts> = {
    config: {
      ...terminal().ports.config,
      async add(handler, file) {
        asked.push(handler);
        files.push(file);
        return { name: "on-a-b", file: settingsFile };
      },
    },
    daemon: () => Promise.resolve(daemon === "none" ? undefined : reached),
    ask: ({ name }) => {
      called.push(name);
      if (daemon instanceof DaybookError) return Promise.reject(daemon);
      const output = { changed: ["handlers"], needs_restart: [] };
      return Promise.resolve({ text: JSON.stringify(output), output });
    },
    ...change,
  };
  return { asked, files, called, ports };
}

describe("on", () => {
  test("adds a handler, and lets a daemon that runs read it", async () => {
    const { asked, files, called, ports } = beside("takes it");
    const typed = [
      "on",
      "a.b",
      "--name",
      "gen-a",
      "--channel",
      "C1",
      "--timeout",
      "5m",
      "--",
      "./x.sh",
      "-v",
    ];
    const { exit, out, err } = await type(typed, ports);
    assert.deepEqual([exit, out, err], [0, "Written: handlers.on-a-b in /x/daybook.yaml.\n", ""]);
    const named = { name: "gen-a", channel: "C1", timeout: "5m" };
    assert.deepEqual(asked, [{ type: "a.b", command: ["./x.sh", "-v"], ...named }]);
    assert.deepEqual(files, [settingsFile]);
    assert.deepEqual(called, ["reload_config"]);
  });
  test("says when no daemon runs, in both languages", async () => {
    const { files, called, ports } = beside("none");
    const { exit, err } = await type(["on", "a.b", "--", "x"], ports);
    assert.deepEqual([exit, called, files], [0, [], [undefined]]);
    assert.match(err, /^No daemon has taken it up yet\. No daemon runs here: start one/);
    assert.match(
      err,
      /start --config \/x\/daybook\.yaml\. .*another folder does not read this file/,
    );
    const korean = await type(["on", "a.b", "--", "x"], {
      ...ports,
      reader: async () => bookFixture().reader("ko"),
    });
    assert.match(korean.out, /^\/x\/daybook\.yaml 파일에 handlers\.on-a-b를 추가했습니다/);
    assert.match(korean.err, /데몬이 아직 읽지 않았습니다/);
  });
  test("says why a daemon does not take it up", async () => {
    const { ports } = beside(new DaybookError("invalid", "The settings are wrong."));
    const { exit, err } = await type(["on", "a.b", "--", "x"], ports);
    assert.deepEqual([exit, err], [0, "No daemon has taken it up yet. The settings are wrong.\n"]);
  });
  test("answers as data too", async () => {
    const { ports } = beside("takes it");
    const { out } = await type(["on", "a.b", "--json", "--", "x"], ports);
    assert.deepEqual(JSON.parse(out), {
      name: "on-a-b",
      file: "/x/daybook.yaml",
      type: "a.b",
      reloaded: true,
      problem: null,
    });
  });
  test("needs to know what happens", async () => {
    const { asked, ports } = beside("takes it");
    const { exit, err } = await type(["on"], ports);
    assert.equal(exit, 2);
    assert.match(err, /"type" is missing: the type of the events/);
    assert.deepEqual(asked, []);
  });
});
