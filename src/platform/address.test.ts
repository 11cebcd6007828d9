import assert from "node:assert/strict";
import { isIP } from "node:net";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { addressBytes, isPublicAddress } from "./address.ts";

/** First and last address of each range that is not public, and its public neighbours. */
const ranges4 = [
  { range: ["0.0.0.0", "0.255.255.255"], beside: ["1.0.0.0"] },
  { range: ["10.0.0.0", "10.255.255.255"], beside: ["9.255.255.255", "11.0.0.0"] },
  { range: ["100.64.0.0", "100.127.255.255"], beside: ["100.63.255.255", "100.128.0.0"] },
  { range: ["127.0.0.0", "127.255.255.255"], beside: ["126.255.255.255", "128.0.0.0"] },
  { range: ["169.254.0.0", "169.254.255.255"], beside: ["169.253.255.255", "169.255.0.0"] },
  { range: ["172.16.0.0", "172.31.255.255"], beside: ["172.15.255.255", "172.32.0.0"] },
  { range: ["192.0.0.0", "192.0.0.255"], beside: ["191.255.255.255", "192.0.1.0"] },
  { range: ["192.0.2.0", "192.0.2.255"], beside: ["192.0.1.255", "192.0.3.0"] },
  { range: ["192.88.99.0", "192.88.99.255"], beside: ["192.88.98.255", "192.88.100.0"] },
  { range: ["192.168.0.0", "192.168.255.255"], beside: ["192.167.255.255", "192.169.0.0"] },
  { range: ["198.18.0.0", "198.19.255.255"], beside: ["198.17.255.255", "198.20.0.0"] },
  { range: ["198.51.100.0", "198.51.100.255"], beside: ["198.51.99.255", "198.51.101.0"] },
  { range: ["203.0.113.0", "203.0.113.255"], beside: ["203.0.112.255", "203.0.114.0"] },
  { range: ["224.0.0.0", "255.255.255.255"], beside: ["223.255.255.255"] },
];

function carried(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  const groups = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  return [
    `::ffff:${address}`,
    `::ffff:${groups}`,
    `::${address}`,
    `64:ff9b::${address}`,
    `2002:${groups}::1`,
  ];
}

describe("IPv4", () => {
  for (const { range, beside } of ranges4) {
    test(`${range.join(" to ")} is not public, its neighbours are`, () => {
      for (const address of range) assert.equal(isPublicAddress(address), false, address);
      for (const address of beside) assert.equal(isPublicAddress(address), true, address);
    });
    test(`${range.join(" to ")} is not public inside an IPv6 address either`, () => {
      for (const address of range.flatMap(carried)) {
        assert.equal(isPublicAddress(address), false, address);
      }
    });
  }
  test("an IPv6 address that leads to a public IPv4 address is public", () => {
    for (const address of carried("8.8.8.8")) assert.equal(isPublicAddress(address), true, address);
  });
});

describe("IPv6", () => {
  const closed = `
    :: ::1 ::2 100::1 64:ff9b:1::1 64:ff9b:1:ffff::8.8.8.8 64:ff9b:0:1::8.8.8.8 5f00::1 4000::1
    fc00::1 fdff:ffff::1 fe80::1 febf::1 fec0::1 feff::1 ff00:: ff02::1 ::ffff:0:8.8.8.8 1fff::1
    2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:2::1 2001:10::1 2001:1ff::1 2001:db8::1
    2001:db8:ffff::1 3fff::1 3fff:fff::1 ::1:8.8.8.8
  `
    .trim()
    .split(/\s+/);
  for (const address of closed) {
    test(`${address} is not public`, () => assert.equal(isPublicAddress(address), false));
  }
  for (const address of [
    "2606:4700:4700::1111",
    "2001:4860:4860::8888",
    "2001:200::1",
    "2a00::",
    "3ffe::1",
  ]) {
    test(`${address} is public`, () => assert.equal(isPublicAddress(address), true));
  }
});

describe("addressBytes", () => {
  const pairs = (bytes: readonly number[]): number[] =>
    Array.from({ length: 8 }, (_, at) => (bytes[at * 2] ?? 0) * 256 + (bytes[at * 2 + 1] ?? 0));

  test("reads every notation of an IPv6 address as the same bytes", () => {
    const sparse = fc.array(fc.oneof(fc.constant(0), fc.nat(255)), {
      minLength: 16,
      maxLength: 16,
    });
    fc.assert(
      fc.property(sparse, (bytes) => {
        const groups = pairs(bytes).map((pair) => pair.toString(16));
        const full = groups.map((group) => group.padStart(4, "0")).join(":");
        const dotted = [...groups.slice(0, 6), bytes.slice(12).join(".")].join(":");
        const short = new URL(`http://[${full}]`).hostname.slice(1, -1);
        for (const text of [full, full.toUpperCase(), groups.join(":"), dotted, short]) {
          assert.deepEqual(addressBytes(text), bytes, text);
        }
      }),
    );
  });
  test("recognizes the same addresses as Node", () => {
    const piece = fc.constantFrom(
      "::",
      ":",
      "0",
      "1",
      "ffff",
      "12345",
      "g",
      "1.2.3.4",
      ".",
      "255",
      "256",
      "%1",
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
    const address = fc.oneof(fc.ipV6(), fc.ipV4(), fc.ipV4Extended(), text);
    fc.assert(
      fc.property(address, (text) => {
        fc.pre(!text.includes("%")); // Node takes a zone for part of an address; we take none
        assert.equal(addressBytes(text) === undefined, isIP(text) === 0, text);
      }),
      { numRuns: 2000 },
    );
  });
  test("refuses other texts", () => {
    const wrong = [
      "",
      "1",
      "127.1",
      "0x7f.0.0.1",
      "0177.0.0.1",
      "1.2.3.4.",
      "fe80::1%eth0",
      "[::1]",
    ];
    for (const text of [...wrong, "1.2.3.4::", ":::", "1::2::3", "1:2:3:4:5:6:7", "::1.2.3"]) {
      assert.equal(addressBytes(text), undefined, text);
      assert.equal(isPublicAddress(text), false, text);
    }
  });
});
