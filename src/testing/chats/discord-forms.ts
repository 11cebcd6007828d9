import { z } from "zod";

/** The form of each request: the part of Discord's that is used, and nothing else. */

const id = z.string().regex(/^\d{1,20}$/);
const button = z.strictObject({
  type: z.literal(2),
  style: z.int().min(1).max(4),
  label: z.string().min(1).max(80),
  custom_id: z.string().min(1).max(100),
  disabled: z.boolean().optional(),
});
const row = z.strictObject({ type: z.literal(1), components: z.array(button).min(1).max(5) });
const content = {
  content: z.string().max(2_000, "Must be 2000 or fewer in length.").optional(),
  allowed_mentions: z
    .strictObject({
      parse: z.array(z.enum(["everyone", "users", "roles"])),
      replied_user: z.boolean().optional(),
    })
    .optional(),
  components: z.array(row).max(5).optional(),
  flags: z.int().optional(),
};
export const discordMessage = z.strictObject({
  ...content,
  nonce: z.string().max(25, "Must be 25 or fewer in length.").optional(),
  enforce_nonce: z.boolean().optional(),
  /** The part of a multipart request. */
  file: z.strictObject({ name: z.string().min(1), content: z.string().min(1) }).optional(),
  message_reference: z.strictObject({ message_id: id }).optional(),
});
export const discordEdit = z.strictObject(content);
export type DiscordForm = z.infer<typeof discordMessage>;

/** The response to an interaction. */
export const discordAnswer = z.strictObject({
  type: z.union([1, 4, 5, 6, 7].map((type) => z.literal(type))),
  data: z.strictObject(content).optional(),
});

const words = z.record(z.string(), z.string()).optional();
const option = z.strictObject({
  type: z.literal(3),
  name: z.string().regex(/^[-_\p{Ll}\p{Lo}\p{N}]{1,32}$/u),
  description: z.string().min(1).max(100),
  name_localizations: words,
  description_localizations: words,
  required: z.boolean().optional(),
});
export const discordCommands = z
  .array(
    option.omit({ required: true }).extend({
      type: z.literal(1).optional(),
      options: z.array(option).max(25).optional(),
      contexts: z.array(z.int().min(0).max(2)).optional(),
      integration_types: z.array(z.int().min(0).max(1)).optional(),
    }),
  )
  .max(100);
export type DiscordCommand = z.infer<typeof discordCommands>[number];
