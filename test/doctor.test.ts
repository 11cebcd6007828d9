import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { child, folder } from "./child.ts";
import { bin } from "./walk-book.ts";

test("doctor judges the daemon, and not the terminal that asks", async (t) => {
  const home = folder(t);
  const file = join(home, "daybook.yaml");
  writeFileSync(file, "channels: { ntfy: { server: https://ntfy.example.org } }\n");
  const env = { DAYBOOK_HOME: home, DAYBOOK_LANGUAGE: "en" };
  const settings = { DAYBOOK_CONFIG: file, DAYBOOK_TIMEZONE: "Asia/Seoul" };
  const daemon = child(t, bin, ["start"], { ...env, ...settings });
  await daemon.line(/is ready/);
  const checks = async (): Promise<ReadonlyMap<string, string>> => {
    const doctor = child(t, bin, ["doctor", "--json"], { ...env, DAYBOOK_TIMEZONE: "Europe/Rome" });
    await doctor.ended;
    const { checks } = JSON.parse(doctor.lines.join("")) as {
      readonly checks: readonly { readonly name: string; readonly text: string }[];
    };
    return new Map(checks.map(({ name, text }) => [name, text]));
  };
  const running = await checks();
  assert.equal(running.get("config"), `${file} is right.`);
  assert.equal(running.get("timezone"), "Times are read in Asia/Seoul.");
  assert.match(running.get("channels") ?? "", /^Set up: [^.]*\bntfy\b/);
  assert.match(running.get("daemon") ?? "", /^It answers at http/);
  assert.match(running.get("terminal") ?? "", /^All above is what the daemon has\./);
  const status = child(t, bin, ["status"], env);
  await status.line(/^Settings: .*daybook\.yaml$/);
  daemon.kill("SIGTERM");
  await daemon.ended;
  const alone = await checks();
  assert.equal(alone.get("timezone"), "Times are read in Europe/Rome.");
  assert.doesNotMatch(alone.get("channels") ?? "", /^Set up: [^.]*\bntfy\b/);
  assert.equal(alone.has("terminal"), false);
});
