import { z } from "zod";
import { DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import type { GoogleApi } from "./google-api.ts";
import { unreadable } from "./google-failure.ts";

const listForm = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      summary: z.string().default(""),
      accessRole: z.string().default(""),
      primary: z.boolean().default(false),
    }),
  ),
});
type Listed = z.output<typeof listForm>["items"][number];

/** The id of the calendar that a person names by its id or its name; `primary` is the account's own. */
export async function chosenCalendar(
  wanted: string,
  api: GoogleApi,
  signal: AbortSignal,
): Promise<string> {
  const { json } = await api.call({
    method: "GET",
    path: "users/me/calendarList",
    query: { maxResults: "250", fields: "items(id,summary,accessRole,primary)" },
    signal,
  });
  const { data } = listForm.safeParse(json);
  if (data === undefined) throw unreadable("list of calendars");
  const found = find(data.items, wanted);
  if (found === undefined) throw noCalendar(wanted, data.items);
  if (found.accessRole === "owner" || found.accessRole === "writer") return found.id;
  const sentence = `You may not change the calendar ${quote(found.summary)} at Google: name another with --calendar.`;
  throw new DaybookError("refused", sentence);
}

function find(all: readonly Listed[], wanted: string): Listed | undefined {
  if (wanted === "primary") return all.find(({ primary }) => primary);
  return all.find(({ id }) => id === wanted) ?? all.find(({ summary }) => summary === wanted);
}

function noCalendar(wanted: string, all: readonly Listed[]): DaybookError {
  const names = all.map(({ summary }) => quote(summary)).join(", ");
  const sentence = `This account at Google has no calendar ${quote(wanted)}: it has ${names || "none"}.`;
  return new DaybookError("not_found", sentence);
}
