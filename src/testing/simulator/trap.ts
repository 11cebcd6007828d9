import childProcess from "node:child_process";
import nodeCrypto from "node:crypto";
import dns from "node:dns";
import fs from "node:fs";
import http from "node:http";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import timers from "node:timers";
import timersPromises from "node:timers/promises";
import workerThreads from "node:worker_threads";
import zlib from "node:zlib";
import { DaybookError } from "../../platform/errors.ts";
import { currentProcess } from "./kernel.ts";

/** Hidden time, chance or outside world: each throws when code on a virtual machine calls it. */
export interface Trap {
  /** What was called, by which life: thrown errors may be swallowed, these are not. */
  readonly caught: readonly string[];
  remove(): void;
}

interface Place {
  readonly of: string;
  readonly in: object;
  readonly names: readonly string[];
}

/** Everything engineering-notes §5 forbids that can be seen at run time. */
export const places: readonly Place[] = [
  {
    of: "globalThis",
    in: globalThis,
    names: ["Date", "setTimeout", "setInterval", "setImmediate", "fetch", "WebSocket"],
  },
  { of: "globalThis", in: globalThis, names: ["WeakRef", "FinalizationRegistry"] },
  { of: "Date", in: Date, names: ["now"] },
  { of: "Math", in: Math, names: ["random"] },
  { of: "performance", in: performance, names: ["now"] },
  { of: "process", in: process, names: ["hrtime", "nextTick", "uptime", "cpuUsage"] },
  { of: "AbortSignal", in: AbortSignal, names: ["timeout"] },
  { of: "Temporal.Now", in: Temporal.Now, names: Object.getOwnPropertyNames(Temporal.Now) },
  { of: "crypto", in: globalThis.crypto, names: ["randomUUID", "getRandomValues"] },
  { of: "crypto.subtle", in: globalThis.crypto.subtle, names: ["digest", "sign", "generateKey"] },
  {
    of: "node:crypto",
    in: nodeCrypto,
    names: ["randomUUID", "randomBytes", "randomInt", "randomFill", "randomFillSync", "scrypt"],
  },
  { of: "node:timers", in: timers, names: ["setTimeout", "setInterval", "setImmediate"] },
  {
    of: "node:timers/promises",
    in: timersPromises,
    names: ["setTimeout", "setInterval", "setImmediate"],
  },
  { of: "node:worker_threads", in: workerThreads, names: ["Worker"] },
  { of: "node:child_process", in: childProcess, names: ["spawn", "exec", "execFile", "fork"] },
  { of: "node:net", in: net, names: ["connect", "createConnection", "createServer"] },
  { of: "node:http", in: http, names: ["request", "get"] },
  { of: "node:dns", in: dns, names: ["lookup", "resolve"] },
  { of: "node:zlib", in: zlib, names: ["gzip", "gunzip", "deflate", "brotliCompress"] },
  { of: "node:fs", in: fs, names: ["readFile", "writeFile", "open", "stat", "watch"] },
  { of: "node:fs.promises", in: fs.promises, names: ["readFile", "writeFile", "open", "stat"] },
];

export function setTrap(): Trap {
  const caught: string[] = [];
  const undo = places.flatMap((place) =>
    place.names
      .filter((name) => typeof Reflect.get(place.in, name) === "function")
      .map((name) => replace(place, name, caught)),
  );
  syncBuiltinESMExports();
  return {
    caught,
    remove() {
      for (const each of undo.toReversed()) each();
      syncBuiltinESMExports();
    },
  };
}

/** Puts a guard before a function or class that lets everybody pass who is not on a virtual machine. */
function replace(place: Place, name: string, caught: string[]): () => void {
  const found = Object.getOwnPropertyDescriptor(place.in, name);
  const original = Reflect.get(place.in, name) as (...args: unknown[]) => unknown;
  const what = `${place.of}.${name}`;
  const guard = (): void => {
    const process = currentProcess();
    if (process === undefined) return;
    caught.push(`${what} was called on ${process.name}`);
    throw new DaybookError("bug", `${what} is hidden nondeterminism: take it through a port.`);
  };
  const value: typeof original = new Proxy(original, {
    apply(target, self, args) {
      guard();
      return Reflect.apply(target, self, args);
    },
    construct(target, args, newTarget) {
      guard();
      return Reflect.construct(target, args, newTarget === value ? target : newTarget) as object;
    },
  });
  Object.defineProperty(place.in, name, { value, configurable: true, writable: true });
  return () => {
    if (found === undefined) Reflect.deleteProperty(place.in, name);
    else Object.defineProperty(place.in, name, found);
  };
}
