import * as z from "zod";
import { present } from "../../platform/json.ts";
import { about } from "../../platform/settings/about.ts";
import { httpUrl, secret, secretForms, urlForm, variable } from "../../platform/settings/forms.ts";
import { wholePath } from "../../platform/settings/paths.ts";
import type { Allow } from "./allowed-program.ts";

/** Tasks of handlers at work at once, when nothing is set. */
const runnersMaxDefault = 3;

const commandEntry = z.strictObject({
  allow: z.array(z.string().min(1)).default([]).register(about, {
    summary: "Programs that schedules may run; all for every one.",
    write: "a list like [./jobs/*, /usr/bin/rsync], or [all]",
    env: "DAYBOOK_ALLOW_COMMANDS",
    needsRestart: true,
  }),
  env: z.array(variable).default(["PATH", "HOME", "LANG", "TZ"]).register(about, {
    summary: "Variables of the daemon that they get to see.",
    write: "a list of variable names like [PATH, LANG]",
    needsRestart: true,
  }),
  folder: z.string().min(1).exactOptional().register(about, {
    summary: "Where they run; this file's folder, unless said.",
    write: "a folder",
    path: wholePath,
    needsRestart: true,
  }),
  memoryMegabytes: z.int().min(16).exactOptional().register(about, {
    summary: "What each of their processes may have for its data; needs prlimit, which Linux has.",
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
    summary: "What a million tokens cost that the model reads.",
    write: "a number from 0",
  }),
  outputPerMillion: z.number().min(0).register(about, {
    summary: "What a million tokens cost that it writes.",
    write: "a number from 0",
  }),
});

const agentEntry = z.strictObject({
  baseUrl: httpUrl.register(about, {
    summary: "A server that speaks as OpenAI does, such as https://host/v1.",
    write: urlForm,
    needsRestart: true,
  }),
  model: z.string().min(1).register(about, {
    summary: "The model's name there.",
    write: "a name",
    needsRestart: true,
  }),
  key: secret.exactOptional().register(about, {
    summary: "The key for it.",
    write: secretForms,
    isSecret: true,
    needsRestart: true,
  }),
  prices: prices.exactOptional().register(about, {
    summary: "What tokens cost, to keep to a budget.",
    needsRestart: true,
  }),
  turnsPerRun: z.int().min(1).max(1_000).default(20).register(about, {
    summary: "The most turns of one run.",
    write: "a whole number from 1 to 1000",
    needsRestart: true,
  }),
  costPerRun: z.number().min(0).exactOptional().register(about, {
    summary: "The most that one run may cost; needs the prices.",
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
        "A program that is run before any model is asked: unless it ends with 0, nothing is.",
      write: "a list like [./anything-new.sh]",
      needsRestart: true,
    }),
});

const agent = agentEntry.transform(({ turnsPerRun, costPerRun, ...one }) => {
  return present({ ...one, turnsMax: turnsPerRun, costMax: costPerRun });
});

/** What schedules may run. */
export const runners = z.strictObject({
  max: z.int().min(1).max(100).default(runnersMaxDefault).register(about, {
    summary: "How many tasks of handlers are at work at once.",
    write: "a whole number from 1 to 100",
  }),
  command: command
    .prefault({})
    .register(about, { summary: "Programs: off unless allowed.", needsRestart: true }),
  agent: agent
    .exactOptional()
    .register(about, { summary: "A model that works at a goal.", needsRestart: true }),
});

/** What one owner may have. */
const limitEntries = z.strictObject({
  schedulesPerOwner: z.int().min(1).max(1_000).default(50).register(about, {
    summary: "The most schedules of one owner.",
    write: "a whole number from 1 to 1000",
  }),
  minGapSeconds: z.number().min(1).max(86_400).default(60).register(about, {
    summary: "The least that lies between two runs of a schedule.",
    write: "a number from 1 to 86400",
    env: "DAYBOOK_MIN_GAP_SECONDS",
  }),
});

export const limits = limitEntries.transform(({ schedulesPerOwner, minGapSeconds }) => {
  return { schedulesMax: schedulesPerOwner, minGapMs: Math.round(minGapSeconds * 1_000) };
});
