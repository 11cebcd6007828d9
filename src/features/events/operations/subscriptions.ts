import * as z from "zod";
import { appendLimited } from "../../../kernel/holds.ts";
import { exampleId, operation, type Context } from "../../../kernel/operation.ts";
import { bookOf, find, untilFresh } from "../../../kernel/own-book.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { idFrom } from "../../../platform/ids.ts";
import { oneLine } from "../../../platform/text.ts";
import {
  fields,
  callRule,
  makeWebhook,
  secretBytes,
  secretFrom,
  webhookKind,
} from "../../notifications/index.ts";
import { replays, resumes } from "../subscription-delivery.ts";
import {
  makeSubscription,
  subscribedNames,
  type SubscriptionKind,
  subscriptionKind,
  subscriptionLimit,
} from "../subscription.ts";
import { textsOf } from "../texts.ts";
import {
  listed,
  readKinds,
  readList,
  shownSubscription,
  subscriptionView,
} from "./subscription-view.ts";

const which = fields.id.describe("which subscription, by its id");

export const subscribe = operation({
  name: "create_subscription",
  summary: "Let a program hear of changes in the book: each is posted to its URL, signed.",
  input: z.strictObject({
    url: z.string().describe("a whole https URL"),
    kinds: listed
      .default(["event", "task", "question"])
      .describe(`what it hears of, of ${subscribedNames.join(", ")}, with commas between`),
    states: listed
      .optional()
      .describe("only when it comes to one of these states, with commas between; all when absent"),
    key: fields.key,
  }),
  output: subscriptionView.extend({
    secret: z.string().describe("signs what is sent; shown only to whoever subscribes"),
    fresh: z.boolean().describe("false: it had been asked before with the same key"),
  }),
  effect: "adds",
  example: { url: "https://example.org/changes", kinds: "event,task", states: "completed,failed" },
  route: { method: "POST", path: "/v1/subscriptions" },
  command: { name: "subscription add", positionals: ["url"] },
  async run({ url, kinds, states, key }, context) {
    const mayCall = context.use(callRule);
    if (typeof mayCall === "function") mayCall(url); // refuse now what would not be posted to later
    const request = { url, kinds: readKinds(kinds), states: readList(states) };
    const webhook = idFrom(`webhook:${Buffer.from(context.randomBytes(16)).toString("hex")}`);
    const secret = secretFrom(context.randomBytes(secretBytes));
    const book = bookOf(context);
    const { record, fresh } = await appendLimited(book, {
      draft: makeSubscription({ webhook, kinds: request.kinds, states: request.states }),
      limit: subscriptionLimit,
      owner: context.owner,
      key,
      storedKey: { name: key ?? "", asked: request },
      // It is the subscription's own: their number is limited by that of those.
      consequences: {
        append: [{ ...makeWebhook({ url, secret, name: "subscription" }), id: webhook }],
      },
    });
    const { body } = await find(book, webhookKind, record.body.webhook);
    return { ...(await shownSubscription(book, record)), secret: body.secret, fresh };
  },
  render: ({ id, secret, fresh }, { language }) =>
    textsOf(language).subscriptions.added({ id, secret, isFresh: fresh }),
});

export const listSubscriptions = operation({
  name: "list_subscriptions",
  summary: "Show which programs hear of changes, and how far they were told.",
  input: z.strictObject({ limit: fields.limit, after: fields.after }),
  output: z.object({ subscriptions: z.array(subscriptionView), next: z.string().nullable() }),
  example: {},
  route: { method: "GET", path: "/v1/subscriptions" },
  command: { name: "subscription list", positionals: [] },
  async run({ limit, after }, context) {
    const book = bookOf(context);
    const { records, next } = await book.list({ kind: subscriptionKind, live: true, limit, after });
    const shown = records.map((record) => shownSubscription(book, record));
    return { subscriptions: await Promise.all(shown), next };
  },
  render({ subscriptions, next }, { language }) {
    const texts = textsOf(language).subscriptions;
    if (subscriptions.length === 0) return texts.none;
    const lines = subscriptions.map((each) =>
      texts.line({
        ...each,
        kinds: each.kinds.join(),
        reason: each.reason && oneLine(each.reason, 120),
      }),
    );
    return [...lines, ...(next === null ? [] : [textsOf(language).more(next)])].join("\n");
  },
});

export const deleteSubscription = operation({
  name: "delete_subscription",
  summary: "Tell a program of no more changes.",
  input: z.strictObject({ id: which }),
  output: z.object({ id: z.string(), deleted: z.boolean().describe("false: it was gone before") }),
  example: { id: exampleId },
  route: { method: "DELETE", path: "/v1/subscriptions/{id}" },
  command: { name: "subscription remove", positionals: ["id"] },
  async run({ id }, context) {
    const book = bookOf(context);
    const { body, outcome } = await find(book, subscriptionKind, id);
    const telling = outcome?.inFlight?.messages ?? [];
    const ends = [body.webhook, ...telling.map((message) => message.id)];
    const { result } = await book.cancel({ id }, { cancel: ends.map((each) => ({ id: each })) });
    return { id, deleted: result !== "ended" };
  },
  render: (_, { language }) => textsOf(language).subscriptions.deleted,
});

export const resumeSubscription = operation({
  name: "resume_subscription",
  summary: "Go on telling a program that could not be reached, from where it was told.",
  input: z.strictObject({ id: which }),
  output: subscriptionView,
  example: { id: exampleId },
  route: { method: "POST", path: "/v1/subscriptions/{id}/resume" },
  command: { name: "subscription resume", positionals: ["id"] },
  async run({ id }, context) {
    const book = bookOf(context);
    const record = await untilFresh(async () => {
      const before = await find(book, subscriptionKind, id);
      if (before.state === "active") return before;
      const { edit, append } = resumes(before, context.now());
      return book.edit(edit, { append });
    });
    return shownSubscription(book, record);
  },
  render: ({ seq }, { language }) => textsOf(language).subscriptions.resumed(seq),
});

export const replaySubscription = operation({
  name: "replay_subscription",
  summary: "Tell a program again what it was told, from a number on.",
  input: z.strictObject({
    id: which,
    from: z.coerce.number().int().min(1).describe("the number of the first change, its `seq`"),
  }),
  output: subscriptionView.extend({ from: z.number() }),
  example: { id: exampleId, from: 42 },
  route: { method: "POST", path: "/v1/subscriptions/{id}/replay" },
  command: { name: "subscription replay", positionals: ["id", "from"] },
  async run({ id, from }, context) {
    const record = await untilFresh(() => replayed(context, id, from));
    return { ...(await shownSubscription(bookOf(context), record)), from };
  },
  render: ({ from }, { language }) => textsOf(language).subscriptions.replayed(from),
});

async function replayed(
  context: Context,
  id: string,
  from: number,
): Promise<LedgerRecord<SubscriptionKind>> {
  const book = bookOf(context);
  return book.edit(replays(await find(book, subscriptionKind, id), from));
}
