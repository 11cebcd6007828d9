import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { child, folder, type Child } from "./child.ts";
import { bin } from "./walk-book.ts";

interface Place {
  readonly home: string;
  /** Writes the settings. */
  set(...lines: string[]): void;
  write(name: string, text: string): void;
  start(): Promise<Child>;
  /** Runs a command that must exit with this status, and returns its lines. */
  said(exit: number, ...args: string[]): Promise<string>;
}

/** A folder with a home and settings, named by flag in every command. */
function place(t: TestContext): Place {
  const home = folder(t);
  const file = join(home, "set.yaml");
  const env = { DAYBOOK_HOME: home, DAYBOOK_LANGUAGE: "en", TZ: "UTC" };
  const run = (...args: string[]): Child => child(t, bin, [...args, "--config", file], env);
  const write = (name: string, text: string): void => writeFileSync(join(home, name), text);
  return {
    home,
    write,
    set: (...lines) => write("set.yaml", lines.join("\n")),
    async start() {
      const daemon = run("start");
      await daemon.line(/is ready/);
      return daemon;
    },
    async said(exit, ...args) {
      const typed = run(...args);
      assert.equal(await typed.ended, exit, typed.lines.join("\n"));
      return typed.lines.join("\n");
    },
  };
}

/** Resolves at the first request for a path. */
async function watcher(
  t: TestContext,
): Promise<{ url: string; asked(path: string): Promise<void> }> {
  const paths = new Map<string, PromiseWithResolvers<void>>();
  const at = (path: string): PromiseWithResolvers<void> => {
    const known = paths.get(path) ?? Promise.withResolvers<void>();
    paths.set(path, known);
    return known;
  };
  const server = createServer((request, response) => {
    at(request.url ?? "").resolve();
    response.end();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked: (path) => at(path).promise };
}

/** A program that accepts every request. */
const yes = `process.stdin.resume().on("end", () => console.log('{"result":"delivered","receipt":1}'))`;
const lamp = (): string =>
  `channels: { exec: { lamp: { command: [${JSON.stringify(process.execPath)}, -e, ${JSON.stringify(yes)}] } } }`;

describe("a running daemon", { timeout: 120_000 }, () => {
  test("applies changed settings at once, and names those that need a restart", async (t) => {
    const { set, start, said } = place(t);
    const { url, asked } = await watcher(t);
    set("log: { level: info }");
    const daemon = await start();
    assert.equal(await said(0, "config", "reload"), "No setting has changed.");
    const toLamp = ["remind", "hi", "--at", "+0s", "--target", "exec:lamp"];
    assert.match(await said(2, ...toLamp), /Unknown channel "exec"/);
    set(
      "log: { level: debug }",
      "owners: { me: { timezone: Asia/Seoul } }",
      `heartbeat: { url: "${url}/first" }`,
      "http: { publicUrl: https://book.example.org }",
      "leaseSeconds: 20",
      lamp(),
    );
    assert.equal(
      await said(0, "config", "reload"),
      "Changed: leaseSeconds, http.publicUrl, owners, channels.exec, heartbeat, log.level.\n" +
        "Takes effect after a restart: leaseSeconds, http.publicUrl.",
    );
    await asked("/first");
    await said(0, ...toLamp);
    await daemon.line(/"record settled".*"state":"delivered"/); // a debug line
    assert.match(await said(0, "whoami"), /Asia\/Seoul/);
    const waits = /takes effect at the next start: leaseSeconds, http\.publicUrl$/m;
    assert.match(await said(0, "status"), waits);
    set(`heartbeat: { url: "${url}/second" }`);
    const { changed } = JSON.parse(await said(0, "config", "reload", "--json")) as {
      changed: string[];
    };
    assert.ok(changed.includes("channels.exec"));
    await asked("/second");
    assert.match(await said(2, ...toLamp), /Unknown channel "exec"/);
    assert.doesNotMatch(await said(0, "status"), /next start/);
  });

  test("keeps the last valid settings when new ones are invalid, and reports it", async (t) => {
    const { set, start, said } = place(t);
    set("owners: { me: { timezone: Asia/Seoul } }");
    const daemon = await start();
    set("leaseSeconds: 20");
    daemon.kill("SIGHUP");
    await daemon.line(/config\.reloaded.*"needsRestart":\["leaseSeconds"\]/);
    // Invalid for a command too, so the request is sent as a program would send it.
    set("owners: { me: { timezone: Asia/Soul } }");
    daemon.kill("SIGHUP");
    await daemon.line(/config\.refused.*Asia\/Soul/);
    set("owners: { me: { timezone: Asia/Seoul } }");
    const status = await said(0, "status");
    assert.match(status, /the old ones hold: .*set\.yaml:1:17 {2}owners\.me\.timezone is "Asia\/S/);
    assert.match(status, /takes effect at the next start: leaseSeconds$/m);
    assert.equal(await said(0, "config", "reload"), "Changed: leaseSeconds, owners.");
    assert.doesNotMatch(await said(0, "status"), /the old ones hold|next start/);
  });

  test("returns the errors of the settings to a program", async (t) => {
    const { home, set, start } = place(t);
    set("");
    await start();
    set("langauge: ko");
    const { url } = JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as { url: string };
    const token = readFileSync(join(home, "token"), "utf8").trim();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const asked = { method: "POST", headers, body: "{}" };
    const response = await fetch(`${url}/v1/config/reload`, asked);
    assert.equal(response.status, 422);
    const { detail } = (await response.json()) as { detail: string };
    assert.match(
      detail,
      /^The settings are invalid, so the old ones stay in use: .*did you mean "language"/s,
    );
  });

  test("sends on a plugin's channel, and starts without a broken plugin", async (t) => {
    const { home, set, start, said, write } = place(t);
    write(
      "pager.mjs",
      `import { appendFileSync } from "node:fs";
      const send = async ({ address, text }) => {
        appendFileSync(new URL("said.txt", import.meta.url), address + " " + text);
        return { result: "delivered", receipt: "paged" };
      };
      export const channels = [{ name: "pager", send }];`,
    );
    write("broken.mjs", "throw new Error('no key');");
    set("plugins: [./pager.mjs, ./broken.mjs]", "log: { level: debug }");
    // Without a daemon the name is valid too.
    await said(0, "remind", "one", "--at", "+0s", "--target", "pager:ops");
    const daemon = await start();
    await daemon.line(/plugin\.off.*broken\.mjs.*no key.*remove it from the list/);
    await daemon.line(/"record settled".*"kind":"notification".*"state":"delivered"/);
    assert.equal(readFileSync(join(home, "said.txt"), "utf8"), "ops one");
    const doctor = await said(1, "doctor");
    assert.match(doctor, /ok +plugin +\S+pager\.mjs adds pager\./);
    assert.match(doctor, /bad +plugin +\S+broken\.mjs is off: it cannot be loaded \(no key\)/);
    set("log: { level: debug }");
    const told = await said(0, "config", "reload");
    assert.equal(told, "Changed: plugins.\nTakes effect after a restart: plugins.");
  });
});

describe("the settings", { timeout: 120_000 }, () => {
  test("are not reloaded without a daemon, which the answer reports", async (t) => {
    const { set, said } = place(t);
    set("");
    assert.match(await said(6, "config", "reload"), /No daemon is running here.*daybook start/);
  });

  test("start as a file that config init writes once", async (t) => {
    const { home, said } = place(t);
    const file = join(home, "set.yaml");
    assert.match(await said(2, "list"), /that file does not exist: daybook config init writes it/);
    assert.match(await said(0, "config", "init", "--print"), /^# The settings of Daybook/);
    assert.equal(existsSync(file), false);
    assert.ok((await said(0, "config", "init")).startsWith(`Wrote ${file}. `));
    assert.match(await said(0, "config", "check"), /set\.yaml: all right/);
    writeFileSync(file, "language: ko");
    const again = await said(4, "config", "init");
    assert.equal(again, `daybook: ${file} already exists: edit it, or name another with --config.`);
    assert.equal(readFileSync(file, "utf8"), "language: ko");
  });
});
