import { z } from "zod";

/** The form of each method: the part of Slack's that is used, and nothing else. */

const timestamp = z.string();
const text = z.strictObject({
  type: z.enum(["mrkdwn", "plain_text"]),
  text: z.string().min(1).max(3_000, "must be less than 3001 characters"),
  emoji: z.boolean().optional(),
  verbatim: z.boolean().optional(),
});
const button = z.strictObject({
  type: z.literal("button"),
  text: text.extend({
    type: z.literal("plain_text"),
    text: z.string().min(1).max(75, "must be less than 76 characters"),
  }),
  action_id: z.string().min(1).max(255),
  value: z.string().max(2_000).optional(),
  style: z.enum(["primary", "danger"]).optional(),
});
const blockId = { block_id: z.string().max(255).optional() };
const block = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("section"), text, expand: z.boolean().optional(), ...blockId }),
  z.strictObject({ type: z.literal("divider"), ...blockId }),
  z.strictObject({
    type: z.literal("context"),
    elements: z.array(text).min(1).max(10),
    ...blockId,
  }),
  z.strictObject({
    type: z.literal("actions"),
    elements: z.array(button).min(1).max(25, "no more than 25 items allowed"),
    ...blockId,
  }),
]);
export const slackBlocks = z.array(block).max(50, "no more than 50 items allowed");
export type SlackBlock = z.infer<typeof block>;

/** In a form, every field is text, and objects are JSON. */
const flag = z.union([z.boolean(), z.enum(["true", "false"]).transform((said) => said === "true")]);
const parts = z.preprocess(parsed, z.array(z.unknown()));
const fileList = z.preprocess(
  parsed,
  z.tuple([z.strictObject({ id: z.string(), title: z.string().optional() })]),
);
function parsed(given: unknown): unknown {
  try {
    return typeof given === "string" ? (JSON.parse(given) as unknown) : given;
  } catch {
    return given;
  }
}
const content = { text: z.string().optional(), blocks: parts.optional() };

export const slackForms = {
  "auth.test": z.strictObject({}),
  "apps.connections.open": z.strictObject({}),
  "conversations.open": z.strictObject({ users: z.string(), return_im: flag.optional() }),
  "chat.postMessage": z.strictObject({
    channel: z.string(),
    thread_ts: timestamp.optional(),
    mrkdwn: flag.optional(),
    unfurl_links: flag.optional(),
    unfurl_media: flag.optional(),
    ...content,
  }),
  "chat.postEphemeral": z.strictObject({
    channel: z.string(),
    user: z.string(),
    thread_ts: timestamp.optional(),
    ...content,
  }),
  "files.getUploadURLExternal": z.strictObject({
    filename: z.string().min(1),
    length: z.coerce.number().pipe(z.int().positive()),
  }),
  "files.completeUploadExternal": z.strictObject({
    files: fileList,
    channel_id: z.string(),
    thread_ts: timestamp.optional(),
    initial_comment: z.string().optional(),
  }),
  "chat.update": z.strictObject({ channel: z.string(), ts: timestamp, ...content }),
};

export type SlackForms = {
  readonly [Method in keyof typeof slackForms]: z.infer<(typeof slackForms)[Method]>;
};
export type SlackMethod = keyof SlackForms;
