import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { exampleId, operation, type Context } from "../../../kernel/operation.ts";
import { parseFuture } from "../../../time/future.ts";
import { echo } from "../../../time/times.ts";
import { guessView, type MomentOptions } from "../../accounts/index.ts";
import { fields, outlookOf } from "../../notifications/index.ts";
import { deleted, finished, paused, resumed, snoozed, type Later } from "../change.ts";
import { hasEnded, stateOf } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { changeNag } from "./change-nag.ts";
import { nagView, viewNag } from "./view.ts";

const input = z.strictObject({ id: fields.id });
const changed = z.boolean().describe("false: it was already in this state");
const hasNowEnded = z.boolean().describe("false: it had ended before");

export const pauseNag = operation({
  name: "pause_nag",
  summary: "Pause a nag until it is resumed.",
  input,
  output: nagView.extend({ changed }),
  example: { id: exampleId },
  route: { method: "POST", path: "/v1/nags/{id}/pause" },
  command: { name: "nag pause", positionals: ["id"] },
  run: ({ id }, context) =>
    viewOf(
      changeNag(id, context, (record) =>
        stateOf(record) === "paused"
          ? undefined
          : { ...paused(record), mark: (marks) => marks.paused },
      ),
      context,
    ),
  render: ({ title: what, id }, { language }) => textsOf(language).nagPaused({ what, id }),
});

export const resumeNag = operation({
  name: "resume_nag",
  summary: "Resume a paused nag and send it at once.",
  input,
  output: nagView.extend({ changed }),
  example: { id: exampleId },
  route: { method: "POST", path: "/v1/nags/{id}/resume" },
  command: { name: "nag resume", positionals: ["id"] },
  run: ({ id }, context) =>
    viewOf(
      changeNag(id, context, (record) =>
        stateOf(record) === "active" ? undefined : resumed(record, context.now()),
      ),
      context,
    ),
  render: ({ title: what, next }, { language }) =>
    textsOf(language).nagResumed({ what, when: next?.text ?? null }),
});

export const doneNag = operation({
  name: "done_nag",
  summary: "Mark a nag as done and stop sending it.",
  input,
  output: nagView.extend({ changed: hasNowEnded }),
  effect: "ends",
  example: { id: exampleId },
  route: { method: "POST", path: "/v1/nags/{id}/done" },
  command: { name: "nag done", positionals: ["id"] },
  run: ({ id }, context) => viewOf(finishNag(id, context), context),
  render({ title: what, state, changed: isChanged }, { language }) {
    const texts = textsOf(language);
    return isChanged ? texts.nagDone(what) : texts.nagUnchanged({ what, state });
  },
});

export const deleteNag = operation({
  name: "delete_nag",
  summary: "Delete a nag that is not done and stop sending it.",
  input: z.strictObject({
    id: fields.id,
    reason: z.string().max(1_000).optional().describe("why it is deleted; kept in its history"),
  }),
  output: nagView.extend({ deleted: hasNowEnded }),
  example: { id: exampleId, reason: "moved out" },
  route: { method: "DELETE", path: "/v1/nags/{id}" },
  command: { name: "nag delete", positionals: ["id"] },
  async run({ id, reason }, context) {
    const { changed: isDeleted, ...view } = await viewOf(cancelNag(id, reason, context), context);
    return { ...view, deleted: isDeleted };
  },
  render({ title: what, state, deleted: isDeleted }, { language }) {
    const texts = textsOf(language);
    return isDeleted ? texts.nagDeleted(what) : texts.nagUnchanged({ what, state });
  },
});

export const snoozeNag = operation({
  name: "snooze_nag",
  summary: "Move the next message of a nag to another time.",
  input: z.strictObject({ id: fields.id, at: fields.at, timezone: fields.timezone }),
  output: nagView.extend(guessView),
  example: { id: exampleId, at: "tomorrow 10am" },
  route: { method: "POST", path: "/v1/nags/{id}/snooze" },
  command: { name: "nag snooze", positionals: ["id", "at"] },
  async run({ id, at: atText, timezone }, context) {
    const options = await outlookOf(context, timezone);
    const { at, ...guess } = parseFuture(atText, options);
    const { record } = await snoozeTo(id, { at, atText }, { options, context });
    return { ...(await viewNag(bookOf(context), record, { ...options, ...guess })), ...guess };
  },
  render({ id, title: what, next }, { language }) {
    const texts = textsOf(language);
    const past = next?.past === true ? [texts.pastSoAtOnce()] : [];
    return [texts.nagSnoozed({ what, when: next?.text ?? "" }), ...past, id].join("\n");
  },
});

/** Leaves a nag that has ended as it is. */
export function finishNag(id: string, context: Context) {
  return changeNag(id, context, (record) =>
    hasEnded(record) ? undefined : { ...finished(record), mark: ({ done }) => done },
  );
}

/** Leaves a nag that has ended as it is. */
export function cancelNag(id: string, reason: string | undefined, context: Context) {
  return changeNag(id, context, (record) =>
    hasEnded(record)
      ? undefined
      : { ...deleted(record, reason?.trim() || undefined), mark: ({ cancelled }) => cancelled },
  );
}

/** Resumes a nag that is paused. */
export function snoozeTo(
  id: string,
  later: Later,
  { options, context }: { options: MomentOptions; context: Context },
) {
  return changeNag(id, context, (record) => ({
    ...snoozed(record, later),
    mark: (marks, language) => marks.snoozed(echo(later.at, { ...options, language }).text),
  }));
}

async function viewOf(change: ReturnType<typeof changeNag>, context: Context) {
  const { record, changed: isChanged } = await change;
  const view = await viewNag(bookOf(context), record, await outlookOf(context));
  return { ...view, changed: isChanged };
}
