import { cancel } from "./cancel.ts";
import { explain } from "./explain.ts";
import { importNotifications } from "./import.ts";
import { list } from "./list.ts";
import { next } from "./next.ts";
import type { Operation } from "./operation.ts";
import { reloadConfig } from "./reload-config.ts";
import { remind } from "./remind.ts";
import { retry } from "./retry.ts";
import { setProfile } from "./set-profile.ts";
import { show } from "./show.ts";
import { createToken, listTokens, revokeToken } from "./tokens.ts";
import { update } from "./update.ts";
import { deleteWebhook, listWebhooks, registerWebhook } from "./webhooks.ts";
import { whoami } from "./whoami.ts";

/** Everything that can be asked, by its name in the library, in the order people read it. */
export const operations = {
  remind,
  update,
  cancel,
  retry,
  importNotifications,
  list,
  show,
  next,
  explain,
  whoami,
  setProfile,
  registerWebhook,
  listWebhooks,
  deleteWebhook,
  createToken,
  listTokens,
  revokeToken,
  reloadConfig,
} as const;

/** The same without their own types, for the faces: each input is checked by the operation's schema. */
export const table: readonly Operation[] = Object.values(operations);
