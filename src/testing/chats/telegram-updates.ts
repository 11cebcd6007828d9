import { once } from "node:events";
import type { TelegramForms } from "./telegram-forms.ts";
import { Refusal } from "./telegram-world.ts";

/** An update of the Bot API. */
export type TelegramUpdate = { readonly update_id: number } & Readonly<Record<string, unknown>>;

type Webhook = TelegramForms["setWebhook"];

/** The queue of pending updates. */
export interface TelegramUpdates {
  /** Adds an update, for the poller or the webhook. */
  tell(kind: "message" | "callback_query", what: object): TelegramUpdate;
  /** Repeats an update, as after a lost answer. */
  again(update: TelegramUpdate): void;
  poll(form: TelegramForms["getUpdates"], signal: AbortSignal): Promise<readonly TelegramUpdate[]>;
  setWebhook(webhook: Webhook | undefined): void;
  /** Drops the pending updates. */
  drop(): void;
  webhook(): { url: string; has_custom_certificate: false; pending_update_count: number };
  /** Resolves when no update is pending. */
  taken(): Promise<void>;
}

export function telegramUpdates(first = 1): TelegramUpdates {
  const waiting: TelegramUpdate[] = [];
  const heard = new EventTarget();
  let last = first - 1;
  let hook: Webhook | undefined;
  let polls = 0;
  let posting = Promise.resolve();
  const note = (name: string): void => void heard.dispatchEvent(new Event(name));
  const take = (isTaken: (update: TelegramUpdate) => boolean): void => {
    waiting.splice(0, waiting.length, ...waiting.filter((update) => !isTaken(update)));
    note("taken");
  };
  const queue = (update: TelegramUpdate): void => {
    waiting.push(update);
    note("told");
    posting = posting.then(async () => {
      if (hook === undefined || !isWanted(update, hook.allowed_updates)) return;
      if (await isTakenBy(hook, update)) take((each) => each === update);
    });
  };
  return {
    tell(kind, what) {
      last += 1;
      const update = { update_id: last, [kind]: what };
      queue(update);
      return update;
    },
    again: queue,
    async poll({ offset = 0, limit = 100, timeout = 0, allowed_updates }, signal) {
      if (hook !== undefined) throw new Refusal(409, conflicts.webhook);
      polls += 1;
      const mine = polls;
      note("told");
      take(({ update_id }) => update_id < offset);
      const found = () => waiting.filter((update) => isWanted(update, allowed_updates));
      const over = AbortSignal.any([signal, AbortSignal.timeout(timeout * 1_000 + 1)]);
      const isMine = (): boolean => polls === mine;
      while (found().length === 0 && !over.aborted && isMine()) {
        await once(heard, "told", { signal: over }).catch(() => undefined);
      }
      if (!isMine()) throw new Refusal(409, conflicts.poll);
      return found().slice(0, limit);
    },
    setWebhook(webhook) {
      hook = webhook;
      for (const update of waiting.splice(0)) queue(update);
    },
    drop: () => take(() => true),
    webhook: () => ({
      url: hook?.url ?? "",
      has_custom_certificate: false,
      pending_update_count: waiting.length,
    }),
    async taken() {
      while (waiting.length > 0) await once(heard, "taken");
    },
  };
}

const conflicts = {
  webhook:
    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
  poll: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
};

function isWanted(update: TelegramUpdate, kinds: readonly string[] | undefined): boolean {
  return kinds === undefined || kinds.length === 0 || kinds.some((kind) => kind in update);
}

/** Posts until a success, three times at most. */
async function isTakenBy({ url, secret_token }: Webhook, update: TelegramUpdate): Promise<boolean> {
  const secret: Record<string, string> =
    secret_token === undefined ? {} : { "x-telegram-bot-api-secret-token": secret_token };
  for (let tries = 0; tries < 3; tries += 1) {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...secret },
      body: JSON.stringify(update),
    }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok === true) return true;
  }
  return false;
}
