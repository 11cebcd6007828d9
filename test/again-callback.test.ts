import assert from "node:assert/strict";
import { test } from "node:test";
import { signatureOf } from "../src/platform/signature.ts";
import { receiver, type Received } from "../src/testing/channels/receiver.ts";
import { againDaemon, againSettings, atNewYear } from "./again-daemon.ts";

interface Told {
  readonly secret: string;
  readonly id: string;
  /** The error of its clock, in seconds. */
  readonly off?: number;
}

/** Reports the end of a run and returns the status of the answer. */
async function tell(url: string, body: string, { secret, id, off = 0 }: Told): Promise<number> {
  const timestamp = Math.floor(Date.now() / 1_000) + off;
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": `${timestamp}`,
    "webhook-signature": signatureOf(secret, { id, timestamp, body }) ?? "",
  };
  const response = await fetch(url, { method: "POST", headers, body });
  await response.text();
  return response.status;
}

function isSignedWith(secret: string, { headers, body }: Received): boolean {
  const id = headers["webhook-id"] ?? "";
  const timestamp = Number(headers["webhook-timestamp"]);
  return (
    signatureOf(secret, { id, timestamp, body: body.toString() }) === headers["webhook-signature"]
  );
}

test(
  "a signed callback ends an external run, and a forged one changes nothing",
  { timeout: 60_000 },
  async (t) => {
    const other = await receiver(() => ({ status: 202 }));
    t.after(() => other.close());
    const reach = {
      DAYBOOK_WEBHOOK_ALLOW: other.host,
      DAYBOOK_PUBLIC_URL: "http://daybook.example",
    };
    const daemon = await againDaemon(t, againSettings(t, reach));
    const listener = await daemon.attach("desk");
    const asked = { name: "far", cadence: atNewYear, run: { http: other.url } };
    const made = await daemon.ask("POST", "/v1/schedules", asked, "desk");
    const secret = String(made["secret"]);
    await daemon.ask("POST", "/v1/schedules/far/run", {});
    const request = await other.request(0);
    assert.ok(isSignedWith(secret, request));
    const { run_id: id, callback_url: back } = JSON.parse(request.body.toString()) as {
      run_id: string;
      callback_url: string;
    };
    const url = `${daemon.url}${new URL(back).pathname}`;
    const done = JSON.stringify({ status: "completed", output: "다 했어요 🎉" });
    const forged = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const wrong: readonly Told[] = [
      { secret: forged, id },
      { secret, id: "01980000-0000-7000-8000-000000000001" },
      { secret, id, off: -3_600 },
    ];
    for (const told of wrong) assert.equal(await tell(url, done, told), 403);
    const [waiting] = await daemon.runs("far");
    assert.equal(waiting?.status, "pending");
    assert.equal(await tell(url, done, { secret, id }), 200);
    const run = await daemon.until(async () => {
      const [only] = await daemon.runs("far");
      return only?.status === "pending" ? undefined : only;
    });
    assert.equal(run.status, "completed");
    await listener.heard(1);
    assert.deepEqual(listener.messages, ["다 했어요 🎉"]);
    assert.ok((await tell(url, done, { secret, id })) >= 400);
    assert.equal(other.requests.length, 1);
  },
);
