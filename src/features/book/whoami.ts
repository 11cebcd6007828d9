import * as z from "zod";
import { bookOf } from "../../kernel/book.ts";
import { operation, type Context } from "../../kernel/operation.ts";
import { scopes } from "../../kernel/scope.ts";
import { profileOf, profileView, settingLines } from "../accounts/index.ts";
import { notificationKind, inboxOf } from "../notifications/index.ts";
import { pauseView, pausesFor, pauseLines } from "./pauses.ts";
import { textsOf } from "./texts.ts";

const output = z.object({
  owner: z.string(),
  principal: z.string(),
  scopes: z.array(z.enum(scopes)),
  profile: profileView,
  inbox: z.object({ target: z.string(), waiting: z.number(), more: z.boolean() }),
  pauses: z.array(pauseView).optional().describe("the pauses in force, if any"),
});

const waitingMax = 500;

export const whoami = operation({
  name: "whoami",
  summary: "Show the caller, the owner of the book, and the settings.",
  input: z.strictObject({}),
  output,
  example: {},
  route: { method: "GET", path: "/v1/whoami" },
  command: { name: "whoami", positionals: [] },
  async run(_, context): Promise<z.infer<typeof output>> {
    const { owner, by: principal } = context;
    const profile = await profileOf(context);
    const inbox = await inboxFor(context);
    const pauses = await pausesFor(context);
    const known = { owner, principal, scopes: [...context.scopes], profile, inbox };
    return pauses.length === 0 ? known : { ...known, pauses };
  },
  render({ owner, principal, scopes, profile, inbox, pauses = [] }, reader) {
    const texts = textsOf(reader.language);
    const count = `${inbox.waiting}${inbox.more ? "+" : ""}`;
    return [
      texts.whoYouAre({ owner, principal, scopes: scopes.join(", ") }),
      ...settingLines(profile, reader),
      texts.waiting(count),
      ...pauseLines(pauses, reader),
    ].join("\n");
  },
});

/** The notifications in the owner's inbox that are due and not delivered yet. */
async function inboxFor(context: Context): Promise<z.infer<typeof output>["inbox"]> {
  const target = inboxOf(context.owner);
  const query = { kind: notificationKind, live: true, limit: waitingMax } as const;
  const { records, next } = await bookOf(context).list(query);
  const now = context.now();
  const waiting = records.filter(({ body }) => body.target === target && body.at <= now);
  return { target, waiting: waiting.length, more: next !== null };
}
