import {
  fdatasync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { fileLayouts } from "../src/features/index.ts";
import { notificationKind } from "../src/features/notifications/kind.ts";
import type { Ledger } from "../src/kernel/ledger.ts";
import { file } from "../src/stores/file/file.ts";
import { median, perSecond, progress, type Sizes } from "./measure.ts";
import { bound, rate, slower, type Figure } from "./report.ts";
import { precision } from "./runtime.ts";
import { body, dayMs } from "./work.ts";

const rounds = 5;

/** The file store beside a bare loop of append and fdatasync, in turns, on one disk. */
export async function benchFile({ files: count }: Sizes): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "daybook-bench-"));
  const [small, large] = [join(folder, "small"), join(folder, "large")];
  try {
    progress("commits beside a bare loop");
    const written = await commits(folder);
    progress(`claims, and an open, with ${count} records`);
    await fill(small, 1000);
    const fewMs = await withFile(small, claims);
    await fill(large, count);
    const start = performance.now();
    const scaled = await withFile(large, async (ledger) => {
      const beside = { name: "a small ledger", value: fewMs, max: 1.5 };
      const opened = bound(`open ${count} records`, performance.now() - start, 5000);
      return [slower(`claim 10 of ${count}`, await claims(ledger), beside), opened];
    });
    const late = await precision(`file:${join(folder, "precision")}`);
    return [...written, ...scaled, ...late];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One append after the other; then until all of them are shown as files. */
async function commits(folder: string): Promise<readonly Figure[]> {
  const turns = 500;
  const rates = { commit: [], bare: [], shown: [], bareShown: [] } as Record<string, number[]>;
  const { commit, commitAndShow } = bareStore(join(folder, "bare"));
  for (let round = 0; round < rounds; round += 1) {
    const ledger = await file({ folder: join(folder, `round-${round}`), layouts: fileLayouts });
    await appendTurns(ledger, turns); // the code is warm, and its files are in the way of nobody
    await sleep(500);
    rates["bare"]?.push(await perSecond(turns, () => repeat(turns, commit)));
    rates["bareShown"]?.push(await perSecond(turns, () => repeat(turns, commitAndShow)));
    const start = performance.now();
    rates["commit"]?.push(await perSecond(turns, () => appendTurns(ledger, turns)));
    await ledger.close();
    rates["shown"]?.push((turns / (performance.now() - start)) * 1000);
  }
  const of = (name: string): number => median(rates[name] ?? []);
  return [
    rate("commit of one append", of("commit"), { value: of("bare"), min: 0.7 }),
    rate("the same, until it is shown as a file", of("shown"), {
      value: of("bareShown"),
      min: 0.7,
    }),
  ];
}

async function repeat(turns: number, run: () => Promise<void>): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await run();
}

/** As many bytes as the store has for it, and as it: no sync holds the event loop. */
function bareStore(folder: string): Record<"commit" | "commitAndShow", () => Promise<void>> {
  mkdirSync(folder);
  const journal = openSync(join(folder, "journal"), "a", 0o600);
  const sync = promisify(fdatasync);
  let files = 0;
  const commit = async (): Promise<void> => {
    writeSync(journal, Buffer.alloc(lineBytes, "x"));
    await sync(journal);
  };
  return {
    commit,
    async commitAndShow() {
      await commit();
      files += 1;
      const path = join(folder, String(files));
      writeFileSync(`${path}.tmp`, "x".repeat(fileBytes), { mode: 0o600, flag: "wx" });
      renameSync(`${path}.tmp`, path);
    },
  };
}

const lineBytes = 1130;
const fileBytes = 870;

async function appendTurns(ledger: Ledger, turns: number): Promise<void> {
  const book = ledger.of("ann", "cli");
  const wakeAt = Date.now() + dayMs;
  await repeat(turns, async () => {
    await book.append({ kind: "notification", state: "pending", body, wakeAt });
  });
}

async function withFile<T>(folder: string, run: (ledger: Ledger) => Promise<T>): Promise<T> {
  const ledger = await file({ folder, layouts: fileLayouts });
  const answer = await run(ledger);
  await ledger.close();
  return answer;
}

/** Claims among others that wait in the same queue and lane, a thousand or many more. */
async function claims(ledger: Ledger): Promise<number> {
  const lane = "telegram:1";
  const draft = { kind: "notification", state: "pending", body, lane } as const;
  const due = Array.from({ length: 1000 }, () =>
    ledger.of("ann", "cli").append({ ...draft, wakeAt: 1 }),
  );
  await Promise.all(due);
  const times: number[] = [];
  for (let n = 0; n < 100; n += 1) {
    const start = performance.now();
    const { records } = await ledger.work.claim({
      kind: notificationKind,
      holder: "h",
      leaseMs: dayMs,
      limit: 10,
    });
    times.push(performance.now() - start);
    if (records.length !== 10) throw new Error("A claim found too few.");
  }
  return median(times);
}

async function fill(folder: string, records: number): Promise<void> {
  const ledger = await file({ folder, layouts: fileLayouts });
  const lane = "telegram:1";
  for (let left = records; left > 0; left -= 1000) {
    const append = (_: unknown, n: number): Promise<unknown> => {
      const wakeAt = Date.now() + dayMs + ((left * 7919 + n * 104_729) % dayMs);
      const draft = { kind: "notification", state: "pending", body, lane, wakeAt } as const;
      return ledger.of(`owner-${n}`, "cli").append(draft);
    };
    await Promise.all(Array.from({ length: 1000 }, append));
  }
  await ledger.close();
}
