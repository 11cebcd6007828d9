import { parseArgs } from "node:util";
import { runMany, type Summary } from "./run-many.ts";
import { storeOf, type SeedResult, type StoreName } from "./run-seed.ts";
import { minuteScale, monthScale, yearScale, workspacesScale, type Scale } from "./scale.ts";
import type { SimulatorResult } from "./simulator-process.ts";

/** `npm run sim -- --seeds 1000`, or `-- --seed 42 --trace` to replay one; with `--month`, a month of schedules; with `--year`, a year of nags; with `--workspaces`, workspaces. */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "200" },
    seed: { type: "string" },
    from: { type: "string", default: "1" },
    store: { type: "string" },
    trace: { type: "boolean", default: false },
    marks: { type: "boolean", default: false },
    failures: { type: "string", default: "10" },
    json: { type: "boolean", default: false },
    month: { type: "boolean", default: false },
    year: { type: "boolean", default: false },
    workspaces: { type: "boolean", default: false },
  },
});

const one = values.seed === undefined ? undefined : Number(values.seed);
const store = storeNamed(values.store);
const result = await runMany({
  from: one ?? Number(values.from),
  count: one === undefined ? Number(values.seeds) : 1,
  keepLines: values.trace,
  failuresMax: Number(values.failures),
  scale: scaleOf(),
  progress: (done) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} seeds `);
  },
  ...(store === undefined ? {} : { store }),
});
if (values.json) console.log(JSON.stringify(asData(result)));
else tell(result);
process.exitCode = result.failed.length > 0 ? 1 : 0;

function scaleOf(): Scale {
  if (values.year) return yearScale;
  if (values.workspaces) return workspacesScale;
  return values.month ? monthScale : minuteScale;
}

function tell(result: Summary): void {
  if (values.trace) console.log(result.lines.join("\n"));
  if (values.marks) for (const [mark, count] of byCount(result)) console.log(`${count}\t${mark}`);
  for (const failed of result.failed) console.log(sentence(failed));
  console.log(closing(result));
}

/** For tests that run many processes. */
function asData(summary: Summary): SimulatorResult {
  const { seeds, events, digest, failed, marks } = summary;
  const failures = failed.map((each) => sentence(each));
  return { seeds, events, digest, failures, marks: Object.fromEntries(marks.counts()) };
}

function storeNamed(name: string | undefined): StoreName | undefined {
  if (name === undefined || name === "memory" || name === "sqlite") return name;
  throw new Error(`--store is memory or sqlite; got "${name}".`);
}

function byCount({ marks }: Summary): readonly (readonly [string, number])[] {
  return [...marks.counts()].toSorted(([, a], [, b]) => b - a);
}

function sentence({ seed, store, violation }: SeedResult): string {
  const flag = storeOf(seed) === store ? "" : ` --store ${store}`;
  return [
    `Seed ${seed} on ${store}: it does not hold that ${violation?.invariant}.`,
    `  ${violation?.detail}`,
    `  Replay it with: npm run sim -- --seed ${seed}${flagOf(scaleOf())}${flag} --trace`,
  ].join("\n");
}

function flagOf({ name }: Scale): string {
  return name === "minute" ? "" : ` --${name}`;
}

function closing({ seeds, events, failed, seconds, digest }: Summary): string {
  const rate = (seeds / seconds).toFixed(1);
  const each = Math.round(events / seeds);
  return `${seeds} seeds, ${events} events (${each} a seed), ${failed.length} violations, ${rate} seeds/s, hash ${digest}`;
}
