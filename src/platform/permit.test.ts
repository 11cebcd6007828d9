import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { handClock } from "../../test/hand-clock.ts";
import { hasCode } from "./errors.ts";
import { safeFetch, type Lookup } from "./fetch.ts";
import { permit, permitHeaders } from "./permit.ts";

async function assertRefused(
  url: string,
  lookup: Lookup,
  allowHosts: readonly string[] = [],
): Promise<void> {
  const options = { clock: handClock(), timeoutMs: 1000, bytesMax: 1000, lookup, allowHosts };
  const error: unknown = await safeFetch(options)({ url }).then(
    ({ status }) => `answered ${status}`,
    (error: unknown) => error,
  );
  assert.ok(hasCode(error, "refused", "invalid"), `${url}: ${String(error)}`);
  assert.equal(error.details["sent"], false);
}

/** For what must be refused as it stands: a decoy in it is never dialled. */
const lookedUp: Lookup = (name) => Promise.reject(new Error(`${name} was looked up`));
const leadsTo =
  (...addresses: string[]): Lookup =>
  () =>
    Promise.resolve(addresses);

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** Addresses nobody may reach, one or more of each range. */
const closed = words(`
  127.0.0.1 127.255.255.254 0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 169.254.169.254
  172.16.0.1 172.31.255.255 192.168.1.1 192.0.0.192 192.0.2.1 192.88.99.1 198.18.0.1 198.51.100.9
  203.0.113.7 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255
`);

/** One IPv4 address as URLs write it, and as IPv6 carries it. */
function notations(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const groups = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  const octal = (value: number): string => `0${value.toString(8)}`;
  const hex = (value: number): string => `0x${value.toString(16)}`;
  const wide = (digit: string): string => String.fromCodePoint(0xff10 + Number(digit));
  const parts = [a, b, c, d];
  return words(`
    ${address} ${address}. ${number} ${hex(number)} ${octal(number)} ${address.replaceAll(".", "。")}
    ${parts.map(octal).join(".")} ${parts.map(hex).join(".")} ${hex(a)}.${b}.${c}.${octal(d)}
    ${a}.${b * 65536 + c * 256 + d} ${a}.${b}.${c * 256 + d} ${hex(a)}.${octal(number % 2 ** 24)}
    ${address.replaceAll(/\d/g, wide)} ${address.replaceAll(/\d/g, (digit) => `%3${digit}`)}
    [::ffff:${address}] [::FFFF:${groups}] [0:0:0:0:0:ffff:${groups}] [::${groups}] [::${address}]
    [64:ff9b::${groups}] [64:ff9b:1::${groups}] [2002:${groups}::] [2001:0:${groups}::1]
  `);
}

const literals = words(`
  [::] [::1] [0::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::0.0.0.1]
  [fc00::1] [fd12:3456:789a::1] [fe80::1] [FE80::1] [febf::1] [fec0::1] [ff02::1] [ff0e::1]
  [2001:db8::1] [2001::1] [100::1] [3fff::1] [::ffff:0:127.0.0.1] [fe80::1%25eth0] [::1%lo]
  0 0x 0x0 00 0.0 0. 127.1 127.0.1 0177.1 0x7f.1 0x7F000001 017700000001 0X7f.0.0.1 %30x7f.1
  ①②⑦.⓪.⓪.① １２７.1 𝟭𝟮𝟳.𝟬.𝟬.𝟭 127｡0｡0｡1 127.0.0.1． ⓪ ²¹³⁰⁷⁰⁶⁴³³ 0ｘ7f.1
  127.0.0.256 1.2.3.4.5 4294967296 0x100000000 127.0.0.08 256.1 1..2 [1] [127.0.0.1] [::1 ::1
  [::1]] 127.0.0.1:99999 [::ffff:7f00:0001] [::ffff:127.1] [::g] [] [::1]. 127.0.0.1:x
`);

test("a host that is a private address is refused in every notation, before any lookup", async () => {
  const hosts = [...closed.flatMap(notations), ...literals];
  assert.ok(new Set(hosts).size > 400);
  for (const host of hosts) await assertRefused(`https://${host}/hook`, lookedUp);
});

describe("a disguised URL is refused:", () => {
  const disguises = words(String.raw`
    http://example.com/ http:example.com HTTP://EXAMPLE.COM ftp://example.com/ ws://example.com
    file:///etc/passwd file://127.0.0.1/etc/passwd gopher://127.0.0.1:6379/_x dict://127.0.0.1/
    data:text/plain,x javascript:alert(1) blob:https://example.com/1 unix:/var/run/docker.sock
    http+unix://%2Fvar%2Frun%2Fdocker.sock/ jar:https://example.com!/ view-source:https://example.com
    about:blank / //127.0.0.1/ 127.0.0.1 example.com https: https:// https:/// https://? https://#
    https:127.0.0.1 https:/127.0.0.1 https:\\127.0.0.1 https:////127.0.0.1 HTTPS://127.0.0.1
    https://127.0.0.1\@example.com/ https://user@example.com/ https://user:pass@example.com/
    https://:pass@example.com/ https://example.com@127.0.0.1/ https://example.com:443@127.0.0.1/
    https://127.0.0.1#@example.com/ https://127.0.0.1?@example.com/ https://a@b@127.0.0.1/
    https://example.com%40127.0.0.1/ https://127.0.0.1%00.example.com/ https://%5B::1%5D/
    https://127.0.0.1%2f.example.com/ https://example.com:-1/ https://[::1]@example.com/
    https://10.0.0.1/x.google.com/ https://10.0.0.1/?fcm.googleapis.com
  `);
  const blanks = ["", " ", "\thttps://127.0.0.1", "https://127.0.0.1\n", "https://127\t.0.0.1"];
  for (const url of [...disguises, ...blanks, "ht\ntps://127.0.0.1", "https://exa mple.com/"]) {
    test(JSON.stringify(url), () => assertRefused(url, lookedUp));
  }
});

describe("a name", () => {
  const names = words(`
    localhost LOCALHOST localhost. localhost.localdomain ip6-localhost ｌｏｃａｌｈｏｓｔ local%68ost
    127.0.0.1.. 127.0.0.1.nip.io localtest.me metadata.google.internal kubernetes.default.svc xn-- 10.0.0.1;example.com
  `);
  const more = words("::1 fe80::1 fe80::1%eth0 ::ffff:10.0.0.1 64:ff9b::a00:1 127.1 nonsense");
  test("is refused when it leads to a private address, whatever it looks like", async () => {
    for (const name of names) await assertRefused(`https://${name}/`, leadsTo("169.254.169.254"));
  });
  test("is refused when it leads to anything but a public address", async () => {
    for (const address of [...closed, ...more, ""]) {
      await assertRefused("https://evil.example/", leadsTo(address));
    }
  });
  test("is refused when any of its addresses is private", async () => {
    await assertRefused("https://evil.example/", leadsTo("8.8.8.8", "127.0.0.1"));
    await assertRefused("https://evil.example/", leadsTo("::1", "8.8.8.8"));
  });
  test("of this machine is refused by the system's lookup, with advice", async () => {
    await assert.rejects(
      safeFetch({ clock: handClock(), timeoutMs: 1, bytesMax: 1 })({ url: "https://localhost/" }),
      /not on the public internet: an administrator may list localhost in DAYBOOK_WEBHOOK_ALLOW/,
    );
  });
  test("is refused with the variable in which its host may be listed", async () => {
    const limits = { clock: handClock(), timeoutMs: 1, bytesMax: 1 };
    const fetch = safeFetch({ ...limits, allowedIn: "DAYBOOK_CALENDAR_ALLOW" });
    for (const url of ["https://localhost/", "http://example.com/", "https://10.0.0.1/"]) {
      await assert.rejects(fetch({ url }), /may list \S+ in DAYBOOK_CALENDAR_ALLOW/);
    }
  });
});

describe("of the listed hosts,", () => {
  const listed = words("hooks.internal 127.0.0.1:9000 [::1]:9000 Upper.Internal plain.internal:80");
  const open = words(`
    http://hooks.internal/ https://hooks.internal:8443/x http://HOOKS.internal/ http://127.0.0.1:9000/
    http://0x7f.1:9000/ http://[0:0::1]:9000/ http://upper.internal/ http://plain.internal/
    http://plain.internal:80/
  `);
  const near = words(String.raw`
    http://hooks.internal.evil.example/ http://evil-hooks.internal/ http://hooks.internal./
    http://hooks.internal@10.0.0.1/ http://10.0.0.1/hooks.internal http://10.0.0.1#hooks.internal
    http://10.0.0.1?hooks.internal http://10.0.0.1\@hooks.internal/ http://127.0.0.1/
    http://127.0.0.1:9001/ http://127.0.0.2:9000/ http://[::1]/ http://[::ffff:127.0.0.1]:9000/
    https://plain.internal/ http://plain.internal:8080/ ftp://hooks.internal/ ws://hooks.internal/
    http://user@hooks.internal/ http://hooks.internal%00/ http://hooks.internal%2eevil.example/
  `);
  for (const url of open) {
    test(`${url} is one`, () => assert.equal(permit(url, listed).isListed, true));
  }
  for (const url of near) {
    test(`${url} is not one`, () => assertRefused(url, leadsTo("127.0.0.1"), listed));
  }
});

test("only http and https are allowed, also for listed hosts", () => {
  for (const url of words("ftp://x/ ws://x/ file:///etc/hosts javascript:1")) {
    assert.throws(
      () => permit(url, ["x"]),
      (error) => /begin it with https:/.test(String(error)) && !/ALLOW/.test(String(error)),
    );
  }
});

test("public addresses and names are allowed over https", () => {
  const hosts = "example.com 8.8.8.8 1.1.1.1:8443 [2606:4700:4700::1111] [::ffff:8.8.8.8]";
  for (const host of words(hosts)) assert.equal(permit(`https://${host}/x?y`).isListed, false);
});

test("a caller may not set headers of the receiver or the message frame", () => {
  for (const name of words("Host content-length Transfer-Encoding CONNECTION upgrade Expect te")) {
    assert.throws(() => permitHeaders({ [name]: "x" }), { code: "invalid" });
  }
  permitHeaders({ "content-type": "application/json", "x-host": "a" });
});
