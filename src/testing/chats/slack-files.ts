import type { Answer, Call } from "./peer.ts";
import type { SlackForms } from "./slack-forms.ts";
import { addMessage, SlackRefusal, type SlackMessage, type SlackWorld } from "./slack-world.ts";

/** Names a file. Its bytes go to a URL of their own, which works once. */
export function announce(
  world: SlackWorld,
  { filename: name, length }: SlackForms["files.getUploadURLExternal"],
  base: string,
): { upload_url: string; file_id: string } {
  const id = `F${String(world.files.size + 1).padStart(8, "0")}`;
  world.files.set(id, { name, length });
  return { upload_url: `${base}/upload/v1/${id}`, file_id: id };
}

/** Takes the bytes. The token has no business there. */
export function upload(world: SlackWorld, { path, headers, body }: Call): Answer {
  const file = world.files.get(path.split("/").at(-1) ?? "");
  const isAsAnnounced = file?.content === undefined && file?.length === Buffer.byteLength(body);
  if (file === undefined || !isAsAnnounced || headers["authorization"] !== undefined) {
    return { status: 400, body: "upload failed" };
  }
  file.content = body;
  return { status: 200, body: `OK - ${file.length}` };
}

/** Shows an uploaded file in a channel. The answer says nothing of the message. */
export function share(
  world: SlackWorld,
  form: SlackForms["files.completeUploadExternal"],
): { files: object[] } {
  const [{ id, title }] = form.files;
  const file = world.files.get(id);
  if (file?.content === undefined || file.isShown) throw new SlackRefusal("file_not_found");
  if (world.people.has(form.channel_id)) throw new SlackRefusal("channel_not_found");
  const { channel_id: channel, thread_ts, initial_comment: text = file.name } = form;
  const shown: NonNullable<SlackMessage["file"]> = { id, name: file.name, content: file.content };
  addMessage(world, { channel, ...(thread_ts === undefined ? {} : { thread_ts }), text }, shown);
  file.isShown = true;
  return { files: [{ id, title: title ?? file.name }] };
}
