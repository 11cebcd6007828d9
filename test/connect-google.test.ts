import assert from "node:assert/strict";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { browser } from "../src/testing/browser.ts";
import { googleServer, type GoogleServer } from "../src/testing/calendars/google-server.ts";
import { child, folder, type Child } from "./child.ts";
import { bin } from "./net/daemon.ts";

interface Place {
  readonly server: GoogleServer;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command until it ends; answers its lines. */
  run(...words: string[]): Promise<readonly string[]>;
  begin(...words: string[]): Child;
  start(): Promise<string>;
}

async function place(t: TestContext): Promise<Place> {
  const server = await googleServer(t);
  const home = folder(t);
  const config = join(home, "daybook.yaml");
  writeFileSync(config, "calendars: { google: { clientSecret: { env: GOOGLE_SECRET } } }\n");
  const env = {
    DAYBOOK_HOME: home,
    DAYBOOK_CONFIG: config,
    DAYBOOK_LANGUAGE: "en",
    DAYBOOK_TIMEZONE: "Asia/Seoul",
    DAYBOOK_GOOGLE_API: server.url,
    DAYBOOK_GOOGLE_CLIENT_ID: server.oauth.clientId,
    GOOGLE_SECRET: server.oauth.clientSecret,
  };
  const begin = (...words: string[]): Child => child(t, bin, words, env);
  return {
    server,
    home,
    env,
    begin,
    async run(...words) {
      const command = begin(...words);
      assert.equal(await command.ended, 0, command.lines.join("\n"));
      return command.lines;
    },
    async start() {
      await begin("start").line(/is ready/);
      const { url } = JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as {
        url: string;
      };
      return url;
    },
  };
}

const connect = ["calendar", "connect", "google"];

/** The page that a command prints. */
async function pageOf(command: Child): Promise<string> {
  return command.line(/^http:\/\/127\.0\.0\.1:\d+\/o\/oauth2/);
}

/** The files of the home in which a text stands. */
function filesWith(home: string, text: string): readonly string[] {
  return globSync("**", { cwd: home, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
    .filter((path) => readFileSync(path).includes(text));
}

describe("connecting a calendar of Google", { timeout: 120_000 }, () => {
  test("a person allows it in a browser, and their reminders are in the calendar", async (t) => {
    const at = await place(t);
    const chromium = await browser(t);
    if (chromium === undefined) return;
    await at.start();
    await at.run("remind", "water the plants", "--at", "+2h");
    const command = at.begin(...connect, "--name", "Mine");
    const page = await chromium.newPage();
    await page.goto(await pageOf(command));
    await shot(page, "consent");
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByRole("heading", { name: "Done" }).waitFor();
    await shot(page, "connected");
    assert.match(
      await page.locator("body").innerText(),
      /mina@example\.org is connected.*see and change events/s,
    );
    assert.equal(await command.ended, 0, command.lines.join("\n"));
    const [id = ""] = command.lines.filter((line) => /^[0-9a-f-]{36}$/.test(line));
    await at.run("calendar", "sync", id);
    const events = at.server.person().events();
    assert.deepEqual(
      events.map(({ summary }) => summary),
      ["water the plants"],
    );
    const [refreshToken = ""] = at.server.oauth.refreshTokens();
    assert.match(refreshToken, /^1\/\//);
    assert.deepEqual(filesWith(at.home, refreshToken), []);
    assert.deepEqual(filesWith(at.home, at.server.oauth.clientSecret), []);
    assert.notDeepEqual(filesWith(at.home, "water the plants"), []);
    // The consent is withdrawn: the calendar says what to do, and connecting again renews it.
    at.server.oauth.revoke();
    const failed = at.begin("calendar", "sync", id);
    await failed.ended;
    assert.match(failed.lines.join("\n"), /run daybook calendar connect google again/);
    const again = at.begin(...connect);
    await page.goto(await pageOf(again));
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByRole("heading", { name: "Done" }).waitFor();
    assert.equal(await again.ended, 0);
    assert.ok(again.lines.includes(id), again.lines.join("\n"));
    await at.run("calendar", "sync", id);
    assert.equal(at.server.person().events().length, 1);
  });

  test("a person who denies it is told so, there and in the terminal", async (t) => {
    const at = await place(t);
    const chromium = await browser(t);
    if (chromium === undefined) return;
    await at.start();
    const command = at.begin(...connect);
    const page = await chromium.newPage();
    await page.goto(await pageOf(command));
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByRole("heading", { name: "That did not work" }).waitFor();
    await shot(page, "denied");
    assert.equal(await command.ended, 5);
    const sentence =
      "You did not allow the access at Google: run daybook calendar connect google again, and choose Allow.";
    assert.ok(command.lines.includes(`daybook: ${sentence}`), command.lines.join("\n"));
    assert.ok((await page.locator("body").innerText()).includes(sentence));
  });

  test("without a daemon, the command does it by itself", async (t) => {
    const at = await place(t);
    const chromium = await browser(t);
    if (chromium === undefined) return;
    const command = at.begin(...connect, "--json");
    const page = await chromium.newPage();
    await page.goto(await pageOf(command));
    await page.getByRole("button", { name: "Allow" }).click();
    assert.equal(await command.ended, 0, command.lines.join("\n"));
    const made = JSON.parse(command.lines.at(-1) ?? "") as Record<string, unknown>;
    assert.deepEqual(
      [made["kind"], made["place"], made["renewed"]],
      ["google", at.server.primary, false],
    );
  });

  test("over HTTP, the browser comes back to the daemon, in the language of the browser", async (t) => {
    const at = await place(t);
    const chromium = await browser(t, { locale: "ko-KR" });
    if (chromium === undefined) return;
    const url = await at.start();
    const token = readFileSync(join(at.home, "token"), "utf8").trim();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const begun = await fetch(`${url}/v1/calendars/connect`, {
      method: "POST",
      headers,
      body: JSON.stringify({ kind: "google" }),
    });
    const { url: consent } = (await begun.json()) as { url: string };
    const page = await chromium.newPage();
    await page.goto(consent);
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByRole("heading", { name: "끝났습니다" }).waitFor();
    await shot(page, "connected-ko");
    assert.ok(page.url().startsWith(`${url}/calendars/google/callback?`));
    // The same address again: Google takes a code once.
    await page.reload();
    await page.getByRole("heading", { name: "되지 않았습니다" }).waitFor();
    await shot(page, "failed-ko");
    const listed = await fetch(`${url}/v1/calendars`, { headers });
    const { calendars } = (await listed.json()) as { calendars: readonly { place: string }[] };
    assert.deepEqual(
      calendars.map((each) => each.place),
      [at.server.primary],
    );
  });
});

/** A picture for people, where they asked for one. */
async function shot(
  page: { screenshot(options: object): Promise<unknown> },
  name: string,
): Promise<void> {
  const pictures = process.env["DAYBOOK_PICTURES"];
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
}
