import { fileLayout } from "../../kernel/files.ts";
import { notification } from "./kind.ts";

const folders = { pending: "pending", delivered: "sent", failed: "failed", cancelled: "failed" };

export const messageFiles = fileLayout({
  kind: notification,
  folder: "messages",
  stateFolder: (state) => folders[state],
  view: ({ id, body, state }) => ({
    id,
    content: body.message,
    channel: body.target,
    status: folders[state],
  }),
});
