import * as z from "zod";
import { bookOf, findRecord, retryIfStale } from "../../../kernel/book.ts";
import { appendLimited } from "../../../kernel/holds.ts";
import { listOperation } from "../../../kernel/list-operation.ts";
import type { Column } from "../../../kernel/list-table.ts";
import { exampleId, operation } from "../../../kernel/operation.ts";
import { idFrom } from "../../../platform/ids.ts";
import {
  idColumn,
  nameColumn,
  noteColumn,
  numberColumn,
  stateColumn,
  textColumn,
} from "../../accounts/index.ts";
import {
  fields,
  callRule,
  makeWebhook,
  secretBytes,
  secretFrom,
  webhookKind,
} from "../../notifications/index.ts";
import { replayFrom, resumeUnit } from "../subscription-delivery.ts";
import {
  makeSubscription,
  subscribedNames,
  subscriptionKind,
  subscriptionLimit,
} from "../subscription.ts";
import { textsOf } from "../texts.ts";
import {
  readKinds,
  readList,
  shownSubscription,
  subscriptionView,
  textList,
} from "./subscription-view.ts";

const subscriptionId = fields.id.describe("the id of the subscription");

export const subscribe = operation({
  name: "create_subscription",
  summary: "Post changes in the book to a URL, signed, as they happen.",
  input: z.strictObject({
    url: z.string().describe("the https URL to post to, such as https://example.org/daybook"),
    kinds: textList
      .default(["event", "task", "question"])
      .describe(
        `the kinds of records, with commas between: ${subscribedNames.join(", ")}. Default: event,task,question`,
      ),
    states: textList
      .optional()
      .describe(
        "only changes to these states, with commas between, such as completed,failed. Default: all states",
      ),
    key: fields.key,
  }),
  output: subscriptionView.extend({
    secret: z.string().describe("signs the posts. It is shown only in this answer"),
    fresh: z.boolean().describe("false: the same key made this subscription before"),
  }),
  effect: "adds",
  example: { url: "https://example.org/changes", kinds: "event,task", states: "completed,failed" },
  route: { method: "POST", path: "/v1/subscriptions" },
  command: { name: "subscription create", aliases: ["subscription add"], positionals: ["url"] },
  async run({ url, kinds, states, key }, context) {
    const mayCall = context.use(callRule);
    if (typeof mayCall === "function") mayCall(url); // refuse a URL now that no post would be sent to later
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
      // The webhook belongs to this subscription, so the limit of subscriptions is the only one.
      consequences: {
        append: [{ ...makeWebhook({ url, secret, name: "subscription" }), id: webhook }],
      },
    });
    const { body } = await findRecord(book, webhookKind, record.body.webhook);
    return { ...(await shownSubscription(record, context)), secret: body.secret, fresh };
  },
  render: ({ id, secret, fresh }, { language }) =>
    textsOf(language).subscriptions.added({ id, secret, isFresh: fresh }),
});

const columns: readonly Column<z.infer<typeof subscriptionView>>[] = [
  idColumn(({ id }) => id),
  stateColumn(({ state }) => state),
  textColumn("url", ({ url }) => url),
  nameColumn("kinds", ({ kinds }) => kinds.join(", ")),
  numberColumn("last", ({ seq }) => seq),
  noteColumn(({ reason }, { language }) => reason && textsOf(language).reason(reason)),
];

export const listSubscriptions = listOperation(subscriptionKind, {
  plural: "subscriptions",
  summary: "List subscriptions and the last change delivered to each.",
  filters: {},
  example: {},
  view: subscriptionView,
  next: z.string().nullable(),
  query: () => ({ live: true, order: "oldest" }),
  show: shownSubscription,
  columns,
  empty: ({ language }) => textsOf(language).subscriptions.none,
  more: (next, { language }) => textsOf(language).more(next),
});

export const deleteSubscription = operation({
  name: "delete_subscription",
  summary: "Delete a subscription and stop its posts.",
  input: z.strictObject({ id: subscriptionId }),
  output: z.object({
    id: z.string(),
    deleted: z.boolean().describe("false: it was deleted before"),
  }),
  example: { id: exampleId },
  route: { method: "DELETE", path: "/v1/subscriptions/{id}" },
  command: { name: "subscription delete", aliases: ["subscription remove"], positionals: ["id"] },
  async run({ id: typed }, context) {
    const book = bookOf(context);
    const { id, body, outcome } = await findRecord(book, subscriptionKind, typed);
    const messages = outcome?.inFlight?.messages ?? [];
    const cancel = [{ id: body.webhook }, ...messages.map((message) => ({ id: message.id }))];
    const { result } = await book.cancel({ id }, { cancel });
    return { id, deleted: result !== "ended" };
  },
  render: (_, { language }) => textsOf(language).subscriptions.deleted,
});

export const resumeSubscription = operation({
  name: "resume_subscription",
  summary: "Resume a paused subscription after the last change delivered.",
  input: z.strictObject({ id: subscriptionId }),
  output: subscriptionView,
  example: { id: exampleId },
  route: { method: "POST", path: "/v1/subscriptions/{id}/resume" },
  command: { name: "subscription resume", positionals: ["id"] },
  async run({ id }, context) {
    const book = bookOf(context);
    const record = await retryIfStale(async () => {
      const before = await findRecord(book, subscriptionKind, id);
      if (before.state === "active") return before;
      const { edit, append } = resumeUnit(before, context.now());
      return book.edit(edit, { append });
    });
    return shownSubscription(record, context);
  },
  render: ({ seq }, { language }) => textsOf(language).subscriptions.resumed(seq),
});

export const replaySubscription = operation({
  name: "replay_subscription",
  summary: "Post again all changes of a subscription from a number on.",
  input: z.strictObject({
    id: subscriptionId,
    from: z.coerce.number().int().min(1).describe("the number of the first change: its `seq`"),
  }),
  output: subscriptionView.extend({ from: z.number() }),
  example: { id: exampleId, from: 42 },
  route: { method: "POST", path: "/v1/subscriptions/{id}/replay" },
  command: { name: "subscription replay", positionals: ["id", "from"] },
  async run({ id, from }, context) {
    const book = bookOf(context);
    const record = await retryIfStale(async () =>
      book.edit(replayFrom(await findRecord(book, subscriptionKind, id), from)),
    );
    return { ...(await shownSubscription(record, context)), from };
  },
  render: ({ from }, { language }) => textsOf(language).subscriptions.replayed(from),
});
