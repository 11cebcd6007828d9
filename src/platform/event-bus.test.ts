import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { bus } from "./event-bus.ts";

interface Events {
  settled: { id: string };
  lapsed: { count: number };
}

test("every listener receives every event, in order", () => {
  const events = bus<Events>();
  const heard: unknown[] = [];
  events.listen((name, facts) => heard.push(["a", name, facts]));
  events.listen((name, facts) => heard.push(["b", name, facts]));
  events.emit("settled", { id: "r1" });
  events.emit("lapsed", { count: 2 });
  assert.deepEqual(heard, [
    ["a", "settled", { id: "r1" }],
    ["b", "settled", { id: "r1" }],
    ["a", "lapsed", { count: 2 }],
    ["b", "lapsed", { count: 2 }],
  ]);
});

test("a listener that has stopped receives nothing more, even in the middle of an event", () => {
  const events = bus<Events>();
  const heard: string[] = [];
  events.listen(() => stop());
  const stop = events.listen((name) => heard.push(name));
  events.emit("settled", { id: "r1" });
  assert.deepEqual(heard, []);
});

test("one function may listen twice and stop once", () => {
  const events = bus<Events>();
  let count = 0;
  const listener = (): void => void (count += 1);
  const stop = events.listen(listener);
  events.listen(listener);
  events.emit("lapsed", { count: 1 });
  stop();
  stop();
  events.emit("lapsed", { count: 1 });
  assert.equal(count, 3);
});

test("a listener that throws stops neither the others nor the emitter, and is reported", () => {
  const failures: unknown[] = [];
  const events = bus<Events>((error) => failures.push(error));
  const heard: string[] = [];
  const fault = new Error("no paper");
  events.listen(() => {
    throw fault;
  });
  events.listen((name) => heard.push(name));
  events.emit("settled", { id: "r1" });
  assert.deepEqual(heard, ["settled"]);
  assert.deepEqual(failures, [fault]);
});

test("without a failure callback, a listener's error is a warning of the process", async () => {
  const events = bus<Events>();
  events.listen(() => {
    throw new Error("no paper");
  });
  const warned = once(process, "warning");
  events.emit("settled", { id: "r1" });
  const [warning] = await warned;
  assert.match(String(warning), /A listener failed: no paper/);
});
