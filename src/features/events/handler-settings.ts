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

/** Of these one is said. */
const runKinds = ["command", "agent", "http", "task"] as const;
const runForm =
  '{ command: [./review.sh] }, { agent: "a goal" }, { http: URL, secret: { env: NAME } } or { task: NAME }';

/** What else belongs to each of them. */
const more = { cwd: "command", input: "task", secret: "http" } as const;

const runEntry = z
  .strictObject({
    command: z.array(z.string().min(1)).min(1).exactOptional().register(about, {
      summary: "A program and its arguments, which may name what the event says.",
      write: 'a list like [./review.sh, "{{payload.pr_number}}"]',
    }),
    cwd: z.string().min(1).exactOptional().register(about, {
      summary: "The folder that the command runs in.",
      write: "a folder",
    }),
    agent: z.string().trim().min(1).exactOptional().register(about, {
      summary: "The goal of an agent, which may name what the event says.",
      write: 'a goal in words, like "Look at {{payload.ticket_key}}"',
    }),
    http: httpUrl.exactOptional().register(about, {
      summary: "A URL that the task is posted to, signed.",
      write: urlForm,
    }),
    secret: secret.exactOptional().register(about, {
      summary: "What signs the calls: whsec_ and base64.",
      write: secretForms,
      isSecret: true,
    }),
    task: z.string().min(1).exactOptional().register(about, {
      summary: "A function of yours, by its name.",
      write: "the name of a task",
    }),
    input: z.json().exactOptional().register(about, {
      summary: "What the function gets; the task itself, unless said.",
      write: "any value",
    }),
    in: z.string().min(1).max(100).exactOptional().register(about, {
      summary: "The workspace that it runs in: it is brought up before.",
      write: "the name of a workspace",
    }),
  })
  .superRefine((one, context) => {
    const said = runKinds.filter((kind) => one[kind] !== undefined);
    if (said.length !== 1) {
      const says = said.length === 0 ? "says nothing that runs" : `says ${said.join(" and ")}`;
      context.addIssue({ code: "custom", params: { says: `${says}: write ${runForm}` } });
      return;
    }
    for (const [name, kind] of Object.entries(more)) {
      if (!Object.hasOwn(one, name) || said.includes(kind)) continue;
      const says = `belongs to ${kind}, which is not said: leave it out`;
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
        summary: "What kind of work it is: the task's type.",
        write: "a word like daily-report",
      }),
    payload: z.json().refine(isPayload).prefault({}).register(about, {
      summary: "What the task says beside.",
      write: "keys and values under it, of at most 128 KiB",
    }),
    repo: z.string().min(1).max(200).exactOptional().register(about, {
      summary: "Its repository; the handler's, unless said.",
      write: "a repository like owner/name",
    }),
  })
  .check(...onlyOneTime);

const timeoutMsMax = 7 * 86_400_000;

/** What is no length is told as that. */
const timeout = length.refine((text) => readLength(text) <= timeoutMsMax).transform(readLength);

const handlerEntry = z.strictObject({
  subscribes: z.array(z.string().refine(isEventType)).default([]).register(about, {
    summary: "The types of events that it has something to do for; each has one handler.",
    write: "a list of types like [github.pr.review_requested]",
  }),
  run: runEntry.transform(runOf).exactOptional().register(about, {
    summary: "What does it; absent: workers of yours claim its tasks.",
    write: runForm,
  }),
  timeout: timeout.prefault("30m").register(about, {
    summary: "How long an attempt may take.",
    write: `${lengthForm}, of at most 7 days`,
  }),
  retries: z.int().min(0).max(20).default(retriesDefault).register(about, {
    summary: "How often an attempt that failed or was cut off is made again.",
    write: "a whole number from 0 to 20",
  }),
  channel: channel.exactOptional().register(about, {
    summary:
      "Where its work speaks when no chat asked for it; channels.slack.defaultChannel, unless said.",
    write: channelForm,
  }),
  channels: z.array(channel).prefault([]).register(about, {
    summary: "Where its results may ask to be told beside.",
    write: "a list of Slack channels like [C0123456789]",
  }),
  repo: z.string().min(1).max(200).exactOptional().register(about, {
    summary: "The repository of events that name none.",
    write: "a repository like owner/name",
  }),
  schedules: z
    .record(z.string().regex(/^[\w.-]{1,60}$/), schedule)
    .default({})
    .register(about, {
      summary: "What it does again and again, by name.",
      write: "a name of letters, digits, dots and dashes, and what belongs to it under it",
    }),
});

/** A handler and its schedules, as the program uses them. */
function handlerOf(name: string, one: z.output<typeof handlerEntry>) {
  const { subscribes, run, timeout, retries, channel = null, channels, repo = null } = one;
  const handler: Handler = present({
    name,
    subscribes,
    run,
    timeoutMs: timeout,
    retries,
    target: channel,
    channels,
    repo,
  });
  return { handler, schedules: one.schedules };
}

/** Who has something to do for events, by name, in the order in which they are asked. */
export const handlers = z
  .record(z.string().refine(isHandlerName), handlerEntry)
  .transform((set) => Object.entries(set).map(([name, one]) => handlerOf(name, one)))
  .prefault({})
  .register(about, {
    summary: "Who has something to do for events, by name.",
    write:
      "a name of small letters, digits and dashes like gen-pr, and what belongs to it under it",
  });

export type HandlersOption = z.input<typeof handlers>;
export type ConfiguredHandler = z.output<typeof handlers>[number];
