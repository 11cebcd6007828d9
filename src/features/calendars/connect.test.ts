import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { bookFixture, using } from "../../../test/book-fixture.ts";
import { consentAtGoogle } from "../../adapters/calendars/google-consent.ts";
import { googleEndpoints } from "../../adapters/calendars/google-endpoints.ts";
import { sealerAt } from "../../app/sealing.ts";
import { callOperation } from "../../kernel/call.ts";
import type { Context } from "../../kernel/operation.ts";
import { provide } from "../../kernel/port.ts";
import { systemClock } from "../../platform/clock.ts";
import { safeFetch } from "../../platform/fetch.ts";
import { eventsScope, listScope } from "../../testing/calendars/google-oauth.ts";
import { googleConnector } from "../../testing/calendars/google-rig.ts";
import { googleServer, type GoogleServer } from "../../testing/calendars/google-server.ts";
import { listCalendars } from "./operations/calendars.ts";
import { connectCalendar, finishCalendar } from "./operations/connect.ts";
import { createCalendar } from "./operations/create.ts";
import { calendarConnectors, googleConsent, sealer } from "./ports.ts";
import { openSecret } from "./secret.ts";

const redirectUri = "http://127.0.0.1:8123/";

interface Fixture {
  readonly server: GoogleServer;
  readonly mina: Context;
  readonly jun: Context;
  advance(ms: number): void;
  begin(input?: object): Promise<string>;
  finish(address: string, by?: Context): Promise<Record<string, unknown>>;
}

async function fixture(t: TestContext): Promise<Fixture> {
  const server = await googleServer(t);
  const { clientId, clientSecret } = server.oauth;
  const clock = systemClock();
  const fetch = safeFetch({
    clock,
    timeoutMs: 5_000,
    bytesMax: 1_048_576,
    allowHosts: [server.host],
  });
  const endpoints = googleEndpoints(server.url);
  const consent = consentAtGoogle({ clock, fetch, endpoints, client: { clientId, clientSecret } });
  const sealing = sealerAt(undefined, Buffer.alloc(32, 7).toString("base64"));
  const at = bookFixture();
  const provisions = [
    provide(googleConsent, () => consent),
    provide(sealer, () => sealing),
    provide(calendarConnectors, () => ({
      google: googleConnector(server, (secret) => openSecret(secret, mina)),
    })),
  ];
  const mina: Context = using(at.mina, ...provisions);
  const jun: Context = using(at.jun, ...provisions);
  return {
    server,
    mina,
    jun,
    advance: (ms) => at.clock.advance(ms),
    async begin(input = {}) {
      const given = { kind: "google", redirect_uri: redirectUri, ...input };
      const { output } = await callOperation(mina, connectCalendar, given, mina);
      return connectCalendar.output.parse(output).url;
    },
    async finish(address, by = mina) {
      const { output } = await callOperation(by, finishCalendar, { address }, by);
      return finishCalendar.output.parse(output);
    },
  };
}

/** A person answers the page; where their browser goes then. */
async function answered(
  server: GoogleServer,
  page: string,
  {
    answer = "allow",
    granted = [eventsScope, listScope],
  }: { answer?: string; granted?: readonly string[] } = {},
): Promise<string> {
  assert.equal((await fetch(page)).status, 200);
  const form = new URLSearchParams(new URL(page).searchParams);
  for (const scope of granted) form.append("granted", scope);
  form.set("answer", answer);
  const { headers } = await fetch(`${server.url}/consent`, {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  return headers.get("location") ?? "";
}

const refusedWith = (message: RegExp) => ({ code: "refused", message });

describe("a connection to Google", () => {
  test("is kept by the browser until it is allowed, and then makes the calendar that was asked for", async (t) => {
    const at = await fixture(t);
    const page = await at.begin({
      name: "Work",
      edits: true,
      duration_minutes: 45,
      timezone: "Europe/Paris",
    });
    assert.ok(!page.includes(at.server.oauth.clientSecret));
    const listed = await callOperation(at.mina, listCalendars, {}, at.mina);
    assert.deepEqual((listed.output as { calendars: unknown[] }).calendars, []);
    const made = await at.finish(await answered(at.server, page));
    assert.deepEqual(
      [made["name"], made["edits"], made["minutes"], made["zone"], made["place"], made["granted"]],
      ["Work", true, 45, "Europe/Paris", at.server.primary, [eventsScope, listScope]],
    );
  });

  test("again gives the calendar a new login, and changes nothing that was not asked for", async (t) => {
    const at = await fixture(t);
    const first = await at.finish(await answered(at.server, await at.begin({ name: "Work" })));
    const second = await at.finish(await answered(at.server, await at.begin({ busy: true })));
    assert.deepEqual(
      [second["id"], second["name"], second["busy"], second["renewed"], first["renewed"]],
      [first["id"], "Work", true, true, false],
    );
  });

  test("ends with a sentence that says what to do when it was denied", async (t) => {
    const at = await fixture(t);
    const denied = await answered(at.server, await at.begin(), { answer: "deny" });
    await assert.rejects(
      at.finish(denied),
      refusedWith(
        /^You did not allow the access at Google: run daybook calendar connect google again, and choose Allow\.$/,
      ),
    );
    const other = denied.replace("access_denied", "org_internal");
    await assert.rejects(
      at.finish(other),
      refusedWith(/^Google did not allow the access: "org_internal"\./),
    );
  });

  test("is refused with a state that was not sealed here, or that somebody changed", async (t) => {
    const at = await fixture(t);
    const good = await answered(at.server, await at.begin());
    const wrong = refusedWith(/^This address ends no connection that was begun here: /);
    for (const state of ["", "guessed", at.mina.use(sealer)?.seal("{}") ?? ""]) {
      const address = new URL(good);
      address.searchParams.set("state", state);
      await assert.rejects(at.finish(address.href), wrong);
    }
    await assert.rejects(at.finish("no address"), wrong);
    await assert.rejects(
      at.finish(good, at.jun),
      refusedWith(/^Somebody else began this connection: /),
    );
    await at.finish(good);
  });

  test("is over after ten minutes, and takes a code once", async (t) => {
    const at = await fixture(t);
    const late = await answered(at.server, await at.begin());
    at.advance(10 * 60_000);
    await assert.rejects(
      at.finish(late),
      refusedWith(/^The connection was begun more than 10 minutes ago: /),
    );
    const good = await answered(at.server, await at.begin());
    await at.finish(good);
    await assert.rejects(
      at.finish(good),
      refusedWith(/^Google takes the answer of a person only once/),
    );
  });

  test("needs the right to change events, and a login that lasts", async (t) => {
    const at = await fixture(t);
    const half = await answered(at.server, await at.begin(), { granted: [listScope] });
    await assert.rejects(
      at.finish(half),
      refusedWith(/^You did not allow Daybook to change events: .*tick all/),
    );
    at.server.oauth.withoutRefresh = true;
    const once = await answered(at.server, await at.begin());
    await assert.rejects(
      at.finish(once),
      refusedWith(/^Google gave no login that lasts: remove the access /),
    );
    const listed = await callOperation(at.mina, listCalendars, {}, at.mina);
    assert.deepEqual((listed.output as { calendars: unknown[] }).calendars, []);
  });

  test("comes back to this machine alone, and needs an OAuth client", async (t) => {
    const at = await fixture(t);
    for (const redirect_uri of [
      "https://evil.example/",
      "http://127.0.0.1.evil.example/",
      "javascript:1",
    ]) {
      await assert.rejects(at.begin({ redirect_uri }), {
        code: "invalid",
        message: /must be an address of this machine/,
      });
    }
    const wrong = await at.begin({ client_secret: "guessed" });
    const address = await answered(at.server, wrong);
    await assert.rejects(
      at.finish(address),
      refusedWith(/check the client id and the client secret/),
    );
    const bare = using(
      at.mina,
      provide(googleConsent, () => {
        const consent = at.mina.use(googleConsent);
        return consent && { ...consent, client: undefined };
      }),
    );
    const given = { kind: "google", redirect_uri: redirectUri };
    await assert.rejects(callOperation(bare, connectCalendar, given, bare), {
      code: "invalid",
      message: /^Google must know Daybook first: /,
    });
  });

  test("names a variable of the daemon only for who may run commands", async (t) => {
    const at = await fixture(t);
    const client = { client_id: "id", client_secret: { env: "HOME" } };
    const given = { kind: "google", redirect_uri: redirectUri, ...client };
    const writer = { ...at.mina, scopes: ["write"] as const };
    await assert.rejects(callOperation(writer, connectCalendar, given, writer), {
      code: "refused",
      message: /only by a token with the scope "run"/,
    });
    const admin = { ...at.mina, scopes: ["admin"] as const };
    const { output } = await callOperation(admin, connectCalendar, given, admin);
    assert.match(connectCalendar.output.parse(output).url, /client_id=id/);
  });

  test("cannot be kept where there is no key to seal with", async (t) => {
    const at = await fixture(t);
    const bare = using(
      at.mina,
      provide(sealer, () => undefined),
    );
    const given = { kind: "google", redirect_uri: redirectUri };
    await assert.rejects(callOperation(bare, connectCalendar, given, bare), {
      code: "unsupported",
      message: /set DAYBOOK_SECRET_KEY/,
    });
    const login = { kind: "google", client_id: "id", refresh_token: "1//secret" };
    await assert.rejects(callOperation(bare, createCalendar, login, bare), { code: "unsupported" });
  });
});
