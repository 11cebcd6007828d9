import * as z from "zod";
import { present } from "../../platform/json.ts";
import { about } from "../../platform/settings/about.ts";
import { httpUrl, secret, secretForms, urlForm } from "../../platform/settings/forms.ts";
import { isTree } from "../../platform/settings/tree.ts";
import { readLength } from "../../time/cadence/length.ts";
import { channel } from "../notifications/index.ts";
import { length, lengthForm, onlyOneTime, recurs } from "../schedules/index.ts";
import { isEventType, type Payload, type RunTemplate } from "../tasks/index.ts";
import { type Handler, isHandlerName, retriesDefault } from "./handler.ts";
import { payloadBytesMax } from "./kind.ts";

const channelForm = "a Slack channel like C0123456789, or a target like ntfy:my-topic";

/** Exactly one of these is set. */
const runKinds = ["command", "agent", "http", "task"] as const;
const runForm =
  '{ command: [./review.sh] }, { agent: "a goal" }, { http: URL, secret: { env: NAME } } or { task: NAME }';

/** The keys that go with one of them only. */
const more = { cwd: "command", input: "task", secret: "http" } as const;

const runEntry = z
  .strictObject({
    command: z.array(z.string().min(1)).min(1).exactOptional().register(about, {
      summary: "A program and its arguments. They may hold placeholders for fields of the event.",
      write: 'a list like [./review.sh, "{{payload.pr_number}}"]',
    }),
    cwd: z.string().min(1).exactOptional().register(about, {
      summary: "The working folder of the command.",
      write: "a folder",
    }),
    agent: z.string().trim().min(1).exactOptional().register(about, {
      summary: "The goal of an agent. It may hold placeholders for fields of the event.",
      write: 'a goal in words, like "Look at {{payload.ticket_key}}"',
    }),
    http: httpUrl.exactOptional().register(about, {
      summary: "A URL that receives each task as a signed POST.",
      write: urlForm,
    }),
    secret: secret.exactOptional().register(about, {
      summary: "The secret that signs the calls: whsec_ and base64.",
      write: secretForms,
      isSecret: true,
    }),
    task: z.string().min(1).exactOptional().register(about, {
      summary: "The name of one of your functions.",
      write: "the name of a task",
    }),
    input: z.json().exactOptional().register(about, {
      summary: "The input of the function. Default: the task.",
      write: "any value",
    }),
    in: z.string().min(1).max(100).exactOptional().register(about, {
      summary: "The workspace that it runs in, which is started first.",
      write: "the name of a workspace",
    }),
  })
  .superRefine((one, context) => {
    const set = runKinds.filter((kind) => one[kind] !== undefined);
    if (set.length !== 1) {
      const says = set.length === 0 ? "sets nothing to run" : `sets ${set.join(" and ")}`;
      context.addIssue({ code: "custom", params: { says: `${says}: write ${runForm}` } });
      return;
    }
    for (const [name, kind] of Object.entries(more)) {
      if (!Object.hasOwn(one, name) || set.includes(kind)) continue;
      const says = `belongs to ${kind}, which is not set: leave it out`;
      context.addIssue({ code: "custom", path: [name], params: { says } });
    }
  });

/** One of its kinds is set. */
function runOf(one: z.output<typeof runEntry>): RunTemplate {
  const { command, cwd, agent, http, secret = "", task = "", input, in: workspace } = one;
  if (command !== undefined) return present({ command, cwd, in: workspace });
  if (agent !== undefined) return present({ agent, in: workspace });
  if (http !== undefined) return present({ http, secret, in: workspace });
  return present({ task, input, in: workspace });
}

function isPayload(value: unknown): value is Payload {
  return isTree(value) && Buffer.byteLength(JSON.stringify(value)) <= payloadBytesMax;
}

const schedule = z
  .strictObject({
    ...recurs,
    type: z
      .string()
      .regex(/^[a-z][\w.-]{0,99}$/)
      .register(about, {
        summary: "The type of its tasks.",
        write: "a word like daily-report",
      }),
    payload: z.json().refine(isPayload).prefault({}).register(about, {
      summary: "The payload of its tasks.",
      write: "keys and values under it, of at most 128 KiB",
    }),
    repo: z.string().min(1).max(200).exactOptional().register(about, {
      summary: "Its repository. Default: the handler's.",
      write: "a repository like owner/name",
    }),
  })
  .check(...onlyOneTime);

const timeoutMsMax = 7 * 86_400_000;

/** A text that is not a duration is reported by its form. */
const timeout = length.refine((text) => readLength(text) <= timeoutMsMax).transform(readLength);

const pause = timeout.refine((ms) => ms >= 1_000);
const pauseForm = `${lengthForm}, of 1 second to 7 days`;

const pauses = z.strictObject({
  first: pause.prefault("1m").register(about, {
    summary: "The first pause. Default: 1m.",
    write: pauseForm,
  }),
  factor: z.number().min(1).max(10).default(2).register(about, {
    summary: "By how much each pause is longer than the one before. Default: 2.",
    write: "a number from 1 to 10",
  }),
  max: pause.prefault("1h").register(about, {
    summary: "The longest pause. Default: 1h.",
    write: pauseForm,
  }),
});

const rateShape = /^(?:[1-9]\d{0,2}|1000)\/[mhd]$/;
const windowsMs = new Map([
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

function readRate(text: string): { max: number; windowMs: number } {
  const [max, window = ""] = text.split("/");
  return { max: Number(max), windowMs: windowsMs.get(window) ?? 60_000 };
}

const handlerEntry = z
  .strictObject({
    subscribes: z.array(z.string().refine(isEventType)).default([]).register(about, {
      summary: "The event types that it handles. Each type has one handler.",
      write: "a list of types like [github.pr.review_requested]",
    }),
    run: runEntry.transform(runOf).exactOptional().register(about, {
      summary: "What runs for each event. Default: nothing; your own workers claim the tasks.",
      write: runForm,
    }),
    timeout: timeout.prefault("30m").register(about, {
      summary: "How long an attempt may take. Default: 30m.",
      write: `${lengthForm}, of at most 7 days`,
    }),
    retries: z.int().min(0).max(20).default(retriesDefault).register(about, {
      summary: "How often a failed or interrupted attempt is repeated. Default: 2.",
      write: "a whole number from 0 to 20",
    }),
    retry: pauses.exactOptional().register(about, {
      summary: "The pauses before these repeats. Default: a minute each.",
      write: "first, factor and max under it, like { first: 10s, factor: 2, max: 1h }",
    }),
    rate: z.string().regex(rateShape).transform(readRate).exactOptional().register(about, {
      summary:
        "How many of its tasks may start in a minute, hour or day of the clock. Default: any number.",
      write: "a number from 1 to 1000 and m, h or d, like 10/m",
    }),
    channel: channel.exactOptional().register(about, {
      summary:
        "Where its results are sent when no chat requested the work. Default: channels.slack.defaultChannel.",
      write: channelForm,
    }),
    channels: z.array(channel).prefault([]).register(about, {
      summary: "More targets that its results may name.",
      write: "a list of Slack channels like [C0123456789]",
    }),
    repo: z.string().min(1).max(200).exactOptional().register(about, {
      summary: "The repository of events without one.",
      write: "a repository like owner/name",
    }),
    schedules: z
      .record(z.string().regex(/^[\w.-]{1,60}$/), schedule)
      .default({})
      .register(about, {
        summary: "Its own schedules, by name.",
        write: "a name of letters, digits, dots and dashes, with its keys under it",
      }),
  })
  .superRefine(({ run, rate }, context) => {
    if (run !== undefined || rate === undefined) return;
    const says = "limits what runs here, and run is not set: leave it out";
    context.addIssue({ code: "custom", path: ["rate"], params: { says } });
  });

/** A handler and its schedules, as the program uses them. */
function handlerOf(name: string, one: z.output<typeof handlerEntry>) {
  const { subscribes, run, timeout, retries, retry, rate } = one;
  const { channel = null, channels, repo = null } = one;
  const pauses = retry && { firstMs: retry.first, factor: retry.factor, maxMs: retry.max };
  const handler: Handler = present({
    name,
    subscribes,
    run,
    timeoutMs: timeout,
    retries,
    pauses,
    rate,
    target: channel,
    channels,
    repo,
  });
  return { handler, schedules: one.schedules };
}

/** Handlers by name; the first one that subscribes to a type handles it. */
export const handlers = z
  .record(z.string().refine(isHandlerName), handlerEntry)
  .transform((set) => Object.entries(set).map(([name, one]) => handlerOf(name, one)))
  .prefault({})
  .register(about, {
    summary: "Handlers of events, by name.",
    write: "a name of small letters, digits and dashes like gen-pr, with its keys under it",
  });

export type HandlersOption = z.input<typeof handlers>;
export type ConfiguredHandler = z.output<typeof handlers>[number];
