import * as z from "zod";
import { about } from "../../platform/settings/about.ts";
import {
  httpUrl,
  ownerName,
  secret,
  secretForms,
  urlForm,
  msOf,
} from "../../platform/settings/forms.ts";
import { systemOwner } from "../nodes/index.ts";
const name = z.string().regex(/^[a-z][a-z0-9_-]{0,49}$/);
const nameForm = "a name of small letters, digits and dashes, and what belongs to it under it";

function hidden(words: string) {
  return secret
    .exactOptional()
    .register(about, { summary: words, write: secretForms, isSecret: true });
}

/** Whose book it is, and which of what is told is wanted. */
const common = {
  owner: ownerName
    .refine((owner) => owner !== systemOwner, {
      params: { says: `is "${systemOwner}", whose book nobody speaks for: write another owner` },
    })
    .default("me")
    .register(about, { summary: "In whose book it is written.", write: "an owner like me" }),
  repos: z.array(z.string().min(1).max(200)).min(1).exactOptional().register(about, {
    summary: "Only what is of these repositories.",
    write: "a list like [acme/shop, acme/*]",
  }),
  types: z
    .array(z.string().regex(/^[a-z][a-z0-9_.-]{0,98}\*?$/))
    .min(1)
    .exactOptional()
    .register(about, {
      summary: "Only what is of these types.",
      write: "a list like [github.pr.review_requested, github.issue.*]",
    }),
  ours: z.array(z.string().min(1).max(200)).exactOptional().register(about, {
    summary: "Who we are there: what we did ourselves is dropped.",
    write: "a list of logins like [my-bot]",
  }),
};

export const sourceKinds = ["github", "jira", "directory", "slack"] as const;
export type SourceSetting = (typeof sourceKinds)[number];

const source = z.strictObject({
  kind: z.enum(sourceKinds).exactOptional().register(about, {
    summary: "What it is; as its name, unless said.",
    write: '"github", "jira", "directory" or "slack"',
  }),
  ...common,
  every: z
    .string()
    .regex(/^[1-9]\d{0,3}[smhd]$/)
    .refine((length) => msOf(length) <= 86_400_000)
    .exactOptional()
    .register(about, {
      summary: "How often it is asked: github 1m, jira 5m, directory 10s, unless said.",
      write: 'a length of time like "30s", "5m" or "1h", of at most a day',
    }),
  token: hidden("What github or jira knows us by."),
  api: httpUrl.exactOptional().register(about, {
    summary: "Where github's API is; the official one, unless said.",
    write: urlForm,
  }),
  url: httpUrl.exactOptional().register(about, { summary: "Where jira is.", write: urlForm }),
  email: z.string().min(3).max(254).exactOptional().register(about, {
    summary: "Whose token it is at jira.",
    write: "an address like me@example.org",
  }),
  jql: z
    .string()
    .min(1)
    .refine((text) => !/\border\s+by\b/i.test(text))
    .exactOptional()
    .register(about, {
      summary: "Which tickets of jira; those assigned to us, unless said.",
      write: "a query like project = SHOP, without an ORDER BY",
    }),
  folder: z.string().min(1).exactOptional().register(about, {
    summary: "The directory that programs put files into.",
    write: "a folder",
  }),
});

/** What belongs to which kind, and what of it must be there. */
export const sourceKeys: Readonly<
  Record<SourceSetting, { needs: readonly SourceKey[]; may: readonly SourceKey[] }>
> = {
  github: { needs: ["token"], may: ["every", "api"] },
  jira: { needs: ["url", "email", "token"], may: ["every", "jql"] },
  directory: { needs: ["folder"], may: ["every"] },
  slack: { needs: [], may: [] },
};
export const ownKeys = ["every", "token", "api", "url", "email", "jql", "folder"] as const;
type SourceKey = (typeof ownKeys)[number];

/** Where it is asked what happened, by name. */
export const sourceSettings = z
  .record(name, source)
  .default({})
  .register(about, { summary: "Where it is asked what happened, by name.", write: nameForm });

export const hookKinds = ["github", "standard", "cloudevents", "token"] as const;
export type HookKind = (typeof hookKinds)[number];

const hook = z.strictObject({
  kind: z.enum(hookKinds).exactOptional().register(about, {
    summary:
      "How whoever posts proves it: GitHub's signature, that of Standard Webhooks, or a token.",
    write: '"github", "standard", "cloudevents" or "token"',
  }),
  secret: secret.clone().register(about, {
    summary: "What only they and this daemon know.",
    write: secretForms,
    isSecret: true,
  }),
  previousSecret: hidden("The one before, good too until they have the new one."),
  ...common,
});

/** Where others tell what happened, by name: at /hooks/NAME under http.publicUrl. */
export const hooks = z.record(name, hook).default({}).register(about, {
  summary: "Where others tell what happened, by name: /hooks/NAME under http.publicUrl.",
  write: nameForm,
});

export type SourceEntry = z.output<typeof source>;
export type HookEntry = z.output<typeof hook>;
