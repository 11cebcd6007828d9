import { z } from "zod";

/** The form of each method. The real service ignores unknown parameters; this one refuses them. */

const id = z.int();
const button = z.strictObject({
  text: z.string().min(1),
  callback_data: z.string().optional(),
  url: z.url().optional(),
});
const keyboard = z.strictObject({ inline_keyboard: z.array(z.array(button)) });
const entity = z.strictObject({
  type: z.string(),
  offset: z.int(),
  length: z.int(),
  url: z.string().optional(),
  language: z.string().optional(),
});
const content = {
  text: z.string(),
  parse_mode: z.literal("HTML").optional(),
  entities: z.array(entity).optional(),
  link_preview_options: z.strictObject({ is_disabled: z.boolean() }).optional(),
  reply_markup: keyboard.optional(),
};
const updateKinds = z.array(z.enum(["message", "callback_query"])).optional();
const command = z.strictObject({
  command: z.string().regex(/^[a-z\d_]{1,32}$/),
  description: z.string().min(1).max(256),
});

export const telegramForms = {
  getMe: z.strictObject({}),
  getUpdates: z.strictObject({
    offset: z.int().optional(),
    limit: z.int().min(1).max(100).optional(),
    timeout: z.int().min(0).max(50).optional(),
    allowed_updates: updateKinds,
  }),
  setWebhook: z.strictObject({
    url: z.string(),
    secret_token: z
      .string()
      .regex(/^[\w-]{1,256}$/)
      .optional(),
    max_connections: z.int().min(1).max(100).optional(),
    allowed_updates: updateKinds,
    drop_pending_updates: z.boolean().optional(),
  }),
  deleteWebhook: z.strictObject({ drop_pending_updates: z.boolean().optional() }),
  getWebhookInfo: z.strictObject({}),
  setMyCommands: z.strictObject({
    commands: z.array(command).max(100),
    language_code: z
      .string()
      .regex(/^([a-z]{2})?$/)
      .optional(),
    scope: z.strictObject({ type: z.literal("default") }).optional(),
  }),
  sendMessage: z.strictObject({
    chat_id: id,
    message_thread_id: id.optional(),
    disable_notification: z.boolean().optional(),
    reply_parameters: z
      .strictObject({ message_id: id, allow_sending_without_reply: z.boolean().optional() })
      .optional(),
    ...content,
  }),
  sendDocument: z.strictObject({
    chat_id: id,
    message_thread_id: id.optional(),
    caption: z.string().max(1_024).optional(),
    disable_notification: z.boolean().optional(),
    document: z.strictObject({ name: z.string().min(1), content: z.string().min(1) }),
  }),
  editMessageText: z.strictObject({ chat_id: id, message_id: id, ...content }),
  editMessageReplyMarkup: z.strictObject({
    chat_id: id,
    message_id: id,
    reply_markup: keyboard.optional(),
  }),
  answerCallbackQuery: z.strictObject({
    callback_query_id: z.string(),
    text: z.string().max(200).optional(),
    show_alert: z.boolean().optional(),
  }),
  sendChatAction: z.strictObject({
    chat_id: id,
    message_thread_id: id.optional(),
    action: z.literal("typing"),
  }),
};

export type TelegramForms = {
  readonly [Method in keyof typeof telegramForms]: z.infer<(typeof telegramForms)[Method]>;
};
export type TelegramMethod = keyof TelegramForms;
export type Keyboard = z.infer<typeof keyboard>;

/** The error in a method's parameters, in one line. */
export function telegramFault(method: TelegramMethod, values: unknown): string | undefined {
  const { error } = telegramForms[method].safeParse(values);
  const issue = error?.issues[0];
  return issue && `${issue.path.join(".") || "parameters"}: ${issue.message}`;
}
