import * as z from "zod";
import { present } from "../../platform/json.ts";
import { about } from "../../platform/settings/about.ts";
import {
  baseUrl,
  msOf,
  ownerName,
  secret,
  secretForms,
  urlForm,
} from "../../platform/settings/forms.ts";
import { wholePath } from "../../platform/settings/paths.ts";
import { isTree } from "../../platform/settings/tree.ts";
import { isSigningSecret } from "../../platform/signature.ts";
import { systemOwner } from "../nodes/index.ts";

const name = z.string().regex(/^[a-z][a-z0-9_-]{0,49}$/);
const nameForm = "a name of small letters, digits and dashes, with its keys under it";

export const noSigning = "cannot sign: give it whsec_ and base64 of 16 bytes or more";

/** Whether signatures can be made with a secret; one that is absent or cannot be read is reported by itself. */
export function canSign(secret: unknown): boolean {
  return typeof secret !== "string" || secret === "" || isSigningSecret(secret);
}

function hidden(summary: string) {
  return secret.exactOptional().register(about, { summary, write: secretForms, isSecret: true });
}

/** The owner of its events, and the filter for them. */
const common = {
  owner: ownerName
    .refine((owner) => owner !== systemOwner, {
      params: {
        says: `is "${systemOwner}", which is reserved for the system: write another owner`,
      },
    })
    .default("me")
    .register(about, {
      summary: "The owner whose book its events are written to. Default: me.",
      write: "an owner like me",
    }),
  repos: z.array(z.string().min(1).max(200)).min(1).exactOptional().register(about, {
    summary: "Take only events of these repositories.",
    write: "a list like [acme/shop, acme/*]",
  }),
  types: z
    .array(z.string().regex(/^[a-z][a-z0-9_.-]{0,98}\*?$/))
    .min(1)
    .exactOptional()
    .register(about, {
      summary: "Take only events of these types.",
      write: "a list like [github.pr.review_requested, github.issue.*]",
    }),
  ours: z.array(z.string().min(1).max(200)).exactOptional().register(about, {
    summary: "Your own logins there: their events are dropped.",
    write: "a list of logins like [my-bot]",
  }),
};

const sourceKinds = ["github", "jira", "directory", "slack"] as const;

const source = z.strictObject({
  kind: z.enum(sourceKinds).exactOptional().register(about, {
    summary: "The kind of source. Default: its name.",
    write: '"github", "jira", "directory" or "slack"',
  }),
  ...common,
  every: z
    .string()
    .regex(/^[1-9]\d{0,3}[smhd]$/)
    .refine((length) => msOf(length) <= 86_400_000)
    .transform(msOf)
    .exactOptional()
    .register(about, {
      summary: "How often it is polled. Default: github 1m, jira 5m, directory 10s.",
      write: 'a length of time like "30s", "5m" or "1h", of at most a day',
    }),
  token: hidden("The access token for github or jira."),
  api: baseUrl.exactOptional().register(about, {
    summary: "The URL of github's API. Default: the official one.",
    write: urlForm,
  }),
  url: baseUrl.exactOptional().register(about, { summary: "The URL of jira.", write: urlForm }),
  email: z.string().min(3).max(254).exactOptional().register(about, {
    summary: "The email address of the token's account at jira.",
    write: "an address like me@example.org",
  }),
  jql: z
    .string()
    .min(1)
    .refine((text) => !/\border\s+by\b/i.test(text))
    .exactOptional()
    .register(about, {
      summary: "Which tickets of jira. Default: those assigned to the token's account.",
      write: "a query like project = SHOP, without an ORDER BY",
    }),
  folder: z.string().min(1).exactOptional().register(about, {
    summary: "The directory into which programs put files.",
    write: "a folder",
    path: wholePath,
  }),
});

const ownKeys = ["every", "token", "api", "url", "email", "jql", "folder"] as const;

interface KindKeys {
  readonly needs: readonly (typeof ownKeys)[number][];
  readonly may: readonly (typeof ownKeys)[number][];
  readonly everyMs: number;
}

/** The keys of each kind, and how often it is polled. */
const kindKeys: Readonly<Record<(typeof sourceKinds)[number], KindKeys>> = {
  github: { needs: ["token"], may: ["every", "api"], everyMs: 60_000 },
  jira: { needs: ["url", "email", "token"], may: ["every", "jql"], everyMs: 300_000 },
  directory: { needs: ["folder"], may: ["every"], everyMs: 10_000 },
  slack: { needs: [], may: [], everyMs: 60_000 },
};

type Problem = readonly [key: string, says: string];

function kindProblem(kind: unknown, kinds: readonly string[]): readonly Problem[] {
  if (kind !== undefined) return []; // a wrong one is reported by its form
  return [["kind", `is missing: write ${kinds.map((each) => `"${each}"`).join(", ")}`]];
}

/** A kind that is not set is the entry's name. */
function kindOf<Kind extends string>(
  kinds: readonly Kind[],
  name: string,
  set: unknown,
): Kind | undefined {
  return kinds.find((kind) => kind === (set ?? name));
}

function sourceProblems(name: string, one: Readonly<Record<string, unknown>>): readonly Problem[] {
  const kind = kindOf(sourceKinds, name, one["kind"]);
  if (kind === undefined) return kindProblem(one["kind"], sourceKinds);
  const { needs, may } = kindKeys[kind];
  const missing = needs.filter((key) => one[key] === undefined);
  const others = ownKeys.filter(
    (key) => one[key] !== undefined && ![...needs, ...may].includes(key),
  );
  return [
    ...missing.map((key): Problem => [key, `is missing: a ${kind} source needs it`]),
    ...others.map((key): Problem => [key, `does not apply to a ${kind} source: leave it out`]),
  ];
}

/** Reported beside the problems of single values, and not only once those are right. */
function entriesCheck(find: typeof sourceProblems) {
  return z.superRefine<unknown>(
    (set, context) => {
      for (const [name, one] of isTree(set) ? Object.entries(set) : []) {
        for (const [key, says] of isTree(one) ? find(name, one) : []) {
          context.addIssue({ code: "custom", path: [name, key], params: { says } });
        }
      }
    },
    { when: () => true },
  );
}

function sourceOf(name: string, entry: z.output<typeof source>) {
  const {
    kind: set,
    every,
    token = "",
    api,
    url = "",
    email = "",
    jql,
    folder = "",
    ...one
  } = entry;
  const kind = kindOf(sourceKinds, name, set) ?? "slack"; // checked
  const common = { ...one, name, everyMs: every ?? kindKeys[kind].everyMs };
  switch (kind) {
    case "github":
      return present({ ...common, kind, token, api });
    case "jira":
      return present({ ...common, kind, url, email, token, jql });
    case "directory":
      return { ...common, kind, folder };
    case "slack":
      return { ...common, kind };
  }
}

/** Sources that are polled for events, by name. */
export const sourceSettings = z
  .record(name, source)
  .check(entriesCheck(sourceProblems))
  .transform((set) => Object.entries(set).map(([name, one]) => sourceOf(name, one)))
  .prefault({})
  .register(about, { summary: "Sources that are polled for events, by name.", write: nameForm });

export type SourceSettings = z.output<typeof sourceSettings>[number];

const hookKinds = ["github", "standard", "cloudevents", "token"] as const;

/** How each kind is authenticated. */
const verifies = {
  github: "hub",
  standard: "standard",
  cloudevents: "bearer",
  token: "bearer",
} as const;

const hook = z.strictObject({
  kind: z.enum(hookKinds).exactOptional().register(about, {
    summary:
      "How requests are authenticated: GitHub's signature, Standard Webhooks, or a token. Default: its name.",
    write: '"github", "standard", "cloudevents" or "token"',
  }),
  secret: secret.clone().register(about, {
    summary: "The secret that the sender and this daemon share.",
    write: secretForms,
    isSecret: true,
  }),
  previousSecret: hidden(
    "The previous secret, which stays valid while the sender changes to the new one.",
  ),
  ...common,
});

function hookProblems(name: string, one: Readonly<Record<string, unknown>>): readonly Problem[] {
  const kind = kindOf(hookKinds, name, one["kind"]);
  if (kind === undefined) return kindProblem(one["kind"], hookKinds);
  if (kind !== "standard") return [];
  const secrets = ["secret", "previousSecret"].filter((key) => !canSign(one[key]));
  return secrets.map((key): Problem => [key, noSigning]);
}

function hookOf(
  name: string,
  { kind: set, secret, previousSecret, ...one }: z.output<typeof hook>,
) {
  const kind = kindOf(hookKinds, name, set) ?? "token"; // checked
  const secrets = [secret, previousSecret ?? ""].filter((text) => text !== "");
  return { ...one, name, verify: verifies[kind], secrets };
}

/** Endpoints that receive events, by name: /hooks/NAME under http.publicUrl. */
export const hooks = z
  .record(name, hook)
  .check(entriesCheck(hookProblems))
  .transform((set) => Object.entries(set).map(([name, one]) => hookOf(name, one)))
  .prefault({})
  .register(about, {
    summary: "Endpoints that receive events, by name: /hooks/NAME under http.publicUrl.",
    write: nameForm,
  });
