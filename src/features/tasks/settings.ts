import * as z from "zod";
import { present } from "../../platform/json.ts";
import { about } from "../../platform/settings/about.ts";
import { httpUrl, secret, secretForms, urlForm, variable } from "../../platform/settings/forms.ts";
import { wholePath } from "../../platform/settings/paths.ts";
import type { Allow } from "./allowed-program.ts";

const commandEntry = z.strictObject({
  allow: z.array(z.string().min(1)).default([]).register(about, {
    summary: "Programs that schedules may run; all allows every program. Default: none.",
    write: "a list like [./jobs/*, /usr/bin/rsync], or [all]",
    env: "DAYBOOK_ALLOW_COMMANDS",
    needsRestart: true,
  }),
  owners: z.array(z.string().min(1)).exactOptional().register(about, {
    summary: "Owners whose schedules may run them. Default: all whose token has the scope run.",
    write: "a list of owners like [me, jun]",
    needsRestart: true,
  }),
  env: z.array(variable).default(["PATH", "HOME", "LANG", "TZ"]).register(about, {
    summary: "Environment variables of the daemon that they get. Default: PATH, HOME, LANG and TZ.",
    write: "a list of variable names like [PATH, LANG]",
    needsRestart: true,
  }),
  folder: z.string().min(1).exactOptional().register(about, {
    summary: "Their working folder. Default: this file's folder.",
    write: "a folder",
    path: wholePath,
  }),
  memoryMegabytes: z.int().min(16).exactOptional().register(about, {
    summary:
      "The most memory for the data of each process, in MiB; needs prlimit (Linux). Default: no limit.",
    write: "a whole number from 16",
    needsRestart: true,
  }),
});

const command = commandEntry.transform(({ allow, memoryMegabytes, ...one }) => {
  const isAll = allow.some((each) => each === "all" || each === "1");
  const allowed: Allow = isAll ? "everything" : allow;
  return present({
    ...one,
    allow: allowed,
    memoryBytesMax: memoryMegabytes && memoryMegabytes * 1_024 * 1_024,
  });
});

const prices = z.strictObject({
  inputPerMillion: z.number().min(0).register(about, {
    summary: "The price of a million tokens that the model reads.",
    write: "a number from 0",
  }),
  outputPerMillion: z.number().min(0).register(about, {
    summary: "The price of a million tokens that the model writes.",
    write: "a number from 0",
  }),
});

const agentEntry = z.strictObject({
  baseUrl: httpUrl.register(about, {
    summary: "The URL of a server with OpenAI's API, such as https://host/v1.",
    write: urlForm,
    needsRestart: true,
  }),
  model: z.string().min(1).register(about, {
    summary: "The name of the model.",
    write: "a name",
    needsRestart: true,
  }),
  key: secret.exactOptional().register(about, {
    summary: "The API key.",
    write: secretForms,
    isSecret: true,
    needsRestart: true,
  }),
  prices: prices.exactOptional().register(about, {
    summary: "The prices of tokens, which budgets need.",
    needsRestart: true,
  }),
  turnsPerRun: z.int().min(1).max(1_000).default(20).register(about, {
    summary: "The most turns of one run. Default: 20.",
    write: "a whole number from 1 to 1000",
    needsRestart: true,
  }),
  costPerRun: z.number().min(0).exactOptional().register(about, {
    summary: "The most that one run may cost; needs prices. Default: no limit.",
    write: "a number from 0",
    needsRestart: true,
  }),
  guard: z
    .array(z.string().min(1))
    .min(1)
    .transform(([program = "", ...args]) => [program, ...args] as const)
    .exactOptional()
    .register(about, {
      summary:
        "A program that runs before the model is called; the run ends unless it exits with 0.",
      write: "a list like [./anything-new.sh]",
      needsRestart: true,
    }),
});

const agent = agentEntry.transform(({ turnsPerRun, costPerRun, ...one }) => {
  return present({ ...one, turnsMax: turnsPerRun, costMax: costPerRun });
});

/** What schedules and handlers may run. */
export const runners = z.strictObject({
  max: z.int().min(1).max(100).default(3).register(about, {
    summary: "How many tasks of handlers run at once. Default: 3.",
    write: "a whole number from 1 to 100",
  }),
  command: command
    .prefault({})
    .register(about, { summary: "Programs, which must be allowed.", needsRestart: true }),
  agent: agent
    .exactOptional()
    .register(about, { summary: "A language model that works on a goal.", needsRestart: true }),
});

/** The limits of one owner. */
const limitEntries = z.strictObject({
  schedulesPerOwner: z.int().min(1).max(1_000).default(50).register(about, {
    summary: "The most schedules of one owner. Default: 50.",
    write: "a whole number from 1 to 1000",
  }),
  minGapSeconds: z.number().min(1).max(86_400).default(60).register(about, {
    summary: "The shortest time between two runs of a schedule, in seconds. Default: 60.",
    write: "a number from 1 to 86400",
    env: "DAYBOOK_MIN_GAP_SECONDS",
  }),
  undeliverableRuns: z.int().min(0).max(1_000).default(5).register(about, {
    summary:
      "Runs in a row whose output cannot be delivered before a schedule is paused; 0 is never. Default: 5.",
    write: "a whole number from 0 to 1000",
  }),
});

export const limits = limitEntries.transform((set) => ({
  schedulesMax: set.schedulesPerOwner,
  minGapMs: Math.round(set.minGapSeconds * 1_000),
  undeliverableMax: set.undeliverableRuns,
}));
