import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, test, type TestContext } from "node:test";
import { sealerAt } from "./sealing.ts";

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "sealing-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function sealerIn(home: string) {
  const made = sealerAt(home, undefined);
  assert.ok(made);
  return made;
}

const otherKey = { code: "refused", message: /^This secret was sealed with another key than / };
const aKey = (): string => randomBytes(32).toString("base64");

describe("the key of a home", () => {
  test("is made when the first secret is sealed, for its owner alone", (t) => {
    const home = join(folder(t), "home");
    const sealer = sealerIn(home);
    assert.ok(!existsSync(home));
    const sealed = sealer.seal("a token");
    const path = join(home, "secret.key");
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(home), ["secret.key"]);
    const key = readFileSync(path, "utf8");
    assert.equal(sealerIn(home).open(sealed), "a token");
    sealerIn(home).seal("another");
    assert.equal(readFileSync(path, "utf8"), key);
  });
  test("is not made by opening a secret", (t) => {
    const home = folder(t);
    const sealed = sealerIn(folder(t)).seal("a token");
    assert.throws(() => sealerIn(home).open(sealed), otherKey);
    assert.deepEqual(readdirSync(home), []);
  });
  test("opens no secret of another key or purpose", (t) => {
    const [one, other] = [sealerIn(folder(t)), sealerIn(folder(t))];
    other.seal("makes its key");
    assert.throws(() => other.open(one.seal("a token")), otherKey);
    assert.throws(() => one.open(one.seal("a token", "state")), otherKey);
    assert.equal(one.open(one.seal("a token", "state"), "state"), "a token");
  });
  test("is one key when two processes make it at the same time", async (t) => {
    const home = folder(t);
    const program = `
      import { sealerAt } from ${JSON.stringify(join(import.meta.dirname, "sealing.ts"))};
      process.stdout.write("ready\\n");
      await new Promise((go) => process.stdin.once("data", go));
      process.stdout.write(sealerAt(${JSON.stringify(home)}, undefined).seal("a token"));
      process.exit();`;
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "pipe" }),
    );
    t.after(() => children.forEach((child) => child.kill()));
    await Promise.all(children.map(({ stdout }) => once(stdout, "data")));
    const outputs = children.map(({ stdout }) => text(stdout));
    for (const { stdin } of children) stdin.write("go\n");
    for (const sealed of await Promise.all(outputs)) {
      assert.equal(sealerIn(home).open(sealed), "a token");
    }
    assert.deepEqual(readdirSync(home), ["secret.key"]);
  });
  test("names the file that holds no key, and leaves it", (t) => {
    const home = folder(t);
    const path = join(home, "secret.key");
    writeFileSync(path, "");
    const sentence = { code: "invalid", message: new RegExp(`^${path} is not a key: `) };
    assert.throws(() => sealerIn(home).seal("a token"), sentence);
    assert.equal(readFileSync(path, "utf8"), "");
  });
  test("says which folder cannot be written", (t) => {
    const home = folder(t);
    writeFileSync(join(home, "a file"), "");
    const sentence = { code: "unavailable", message: / cannot be (read|written) / };
    assert.throws(() => sealerIn(join(home, "a file")).seal("a token"), sentence);
  });
});

describe("DAYBOOK_SECRET_KEY", () => {
  test("opens on one machine what another sealed, and needs no home", (t) => {
    const key = aKey();
    const home = folder(t);
    const sealed = sealerAt(home, key)?.seal("a token") ?? "";
    assert.equal(sealerAt(undefined, ` ${key}\n`)?.open(sealed), "a token");
    assert.deepEqual(readdirSync(home), []);
    assert.throws(() => sealerAt(undefined, aKey())?.open(sealed), otherKey);
  });
  test("must be 32 bytes", () => {
    const sentence = { code: "invalid", message: /^DAYBOOK_SECRET_KEY is not a key: give it 32 / };
    assert.throws(() => sealerAt(undefined, "short")?.seal("a token"), sentence);
  });
  test("is missing where there is no home: nothing can be sealed", () => {
    assert.equal(sealerAt(undefined, undefined), undefined);
    assert.equal(sealerAt(undefined, ""), undefined);
  });
});
