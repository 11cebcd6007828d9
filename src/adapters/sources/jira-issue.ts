import { z } from "zod";
import { jiraName, type SourceEvent } from "../../features/events/index.ts";
import { present } from "../../platform/json.ts";
import { oneLine } from "../../platform/text.ts";
import { instantOf, readEach } from "./answers.ts";

const pageForm = z.object({
  issues: z.array(z.unknown()),
  nextPageToken: z.string().min(1).nullish(),
});

/** `2026-02-07T19:00:00.000+0900` */
const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?(Z|[+-]\d\d:?\d\d)$/)
  .transform((text) => instantOf(text) ?? Number.NaN)
  .refine((at) => !Number.isNaN(at));

const issueForm = z
  .object({
    key: z.string().regex(/^[A-Z][A-Z0-9_]{0,30}-\d{1,12}$/),
    fields: z.object({
      summary: z.string().nullish(),
      status: z.object({ name: z.string() }),
      updated: time,
    }),
    changelog: z
      .object({
        histories: z.array(
          z.object({ created: time, author: z.object({ accountId: z.string() }).nullish() }),
        ),
      })
      .nullish(),
  })
  .transform(({ key, fields, changelog }) => {
    const { summary, status, updated } = fields;
    // A comment updates a ticket too, without a change here: then its actor is unknown.
    const change = changelog?.histories.find(({ created }) => created === updated);
    const actor = change?.author?.accountId;
    return { key, summary: summary ?? "", status: status.name, updated, actor };
  });
export type Issue = z.infer<typeof issueForm>;

/** A page of tickets, and why some could not be read; undefined when it is none. */
export function readIssues(page: unknown) {
  const { data } = pageForm.safeParse(page);
  if (data === undefined) return undefined;
  const { read: issues, reasons } = readEach(issueForm, data.issues, "a ticket");
  return { issues, reasons, next: data.nextPageToken ?? null };
}

const summaryCharsMax = 1_000;

/** A ticket that was unknown counts as assigned. */
export function ticketEvent(
  { name, url }: { name: string; url: string },
  { key, summary, status, updated, actor }: Issue,
  previous: string | undefined,
): SourceEvent {
  return present({
    name: jiraName(name, key, updated),
    type: previous === undefined ? "jira.ticket.assigned" : "jira.ticket.updated",
    repo: null,
    payload: {
      ticket_key: key,
      summary: oneLine(summary, summaryCharsMax),
      status,
      previous_status: previous ?? null,
      url: `${url}/browse/${key}`,
    },
    at: updated,
    actor,
  });
}
