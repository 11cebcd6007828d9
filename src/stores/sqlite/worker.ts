import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../platform/clock.ts";
import { toErrorData } from "../../platform/errors.ts";
import { ids } from "../../platform/ids.ts";
import { systemRandom } from "../../platform/random.ts";
import { sqliteEngine, type SqliteEngine } from "./engine.ts";
import { type Reply, type Request, type ThreadData, unpackCall } from "./thread.ts";
import type { Step } from "./transactions.ts";
import { touchWakeFile } from "./wake-hints.ts";

// The entry of the thread that owns the writing connection.
const data = workerData as ThreadData;
const clock = systemClock();
const now = (): number => data.sharedNow?.[0] ?? clock.wall();
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
const reply = (message: Reply): void => parentPort?.postMessage(message);
let transactions = 0;

function onStep(step: Step | "answered"): void {
  if (step === "started") transactions += 1;
  if (data.endAt?.step !== step || data.endAt.nth !== transactions) return;
  if (data.endAt.what === "thread") process.exit(1);
  process.kill(process.pid, "SIGKILL");
}

function open(): SqliteEngine | undefined {
  try {
    const { path, busyMs } = data;
    return sqliteEngine({ path, busyMs, now, ids: ids({ wall: now }, systemRandom()), onStep });
  } catch (error) {
    reply({ type: "failed", error: toErrorData(error) });
    return undefined;
  }
}

function serve(engine: SqliteEngine): void {
  parentPort?.on("message", (request: Request) => {
    switch (request.type) {
      case "calls": {
        const answers = engine.batch(request.calls.map(unpackCall));
        const hints = engine.takeHints();
        // Before the answer: a process that only writes may exit as soon as it has the answer.
        if (hints.length > 0) touchWakeFile(data.path);
        reply({ type: "answers", answers, hints, isLast: engine.isBroken() });
        onStep("answered");
        break;
      }
      case "version":
        reply({ type: "version", version: engine.dataVersion() });
        break;
      case "close":
        engine.close();
        parentPort?.close();
        break;
    }
  });
  reply({ type: "open" });
}

const engine = open();
if (engine !== undefined) serve(engine);
