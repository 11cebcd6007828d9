import { z } from "zod";
import { json, type Answer, type Call } from "./peer.ts";
import { shown, update, type SlackWorld } from "./slack-world.ts";

/** A message that only one person sees. */
export interface Whisper {
  readonly user?: string;
  readonly text: string;
}

const form = z.strictObject({
  text: z.string().optional(),
  blocks: z.array(z.unknown()).optional(),
  response_type: z.literal("ephemeral").optional(),
  replace_original: z.boolean().optional(),
});

/** The response URL of a press, which needs no token. */
export function respond(world: SlackWorld, whispers: Whisper[], call: Call): Answer {
  const [channel = "", ts = ""] = call.path.split("/").slice(3);
  const { data } = form.safeParse(JSON.parse(call.body));
  if (data === undefined) return json(400, { ok: false, error: "invalid_payload" });
  const { text, blocks, replace_original: isInPlace } = data;
  const content = {
    ...(text === undefined ? {} : { text }),
    ...(blocks === undefined ? {} : { blocks }),
  };
  if (isInPlace === true) update(world, { channel, ts, ...content });
  else whispers.push({ text: shown(content).text });
  return json(200, { ok: true });
}
