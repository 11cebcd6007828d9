import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import { present } from "../../../platform/json.ts";
import { parseFuture } from "../../../time/future.ts";
import { dueOf, dueView, guessView, momentOptions } from "../../accounts/index.ts";
import { fields, timeWords, requestKey, checkedRoute } from "../../notifications/index.ts";
import { makeTask, timeoutMsDefault, type TaskKind } from "../kind.ts";
import { type MissingWorkspace, runWorkspacesIn } from "../ports.ts";
import { textsOf } from "../texts.ts";
import {
  freshView,
  missingWorkspace,
  targetBecause,
  targetInput,
  taskInputs,
  timeoutInput,
  unknownTask,
  workspaceInput,
} from "./inputs.ts";
import { runNotes } from "./run-notes.ts";
import { taskInput, taskNamed } from "./run-types.ts";
import { timeoutOf } from "./runnable.ts";

const input = z.strictObject({
  ...taskInputs,
  at: fields.at.optional().describe(timeWords),
  timezone: fields.timezone,
  target: targetInput,
  timeout: timeoutInput,
  in: workspaceInput,
  key: fields.key,
});
type Input = z.infer<typeof input>;

const output = z.object({
  id: z.string(),
  task: z.string(),
  state: z.string().describe("forgotten: the key was used before, and its run has been pruned"),
  due: dueView,
  target: z.string(),
  target_because: targetBecause,
  fresh: freshView,
  ...guessView,
  unknown_task: unknownTask,
  missing_workspace: missingWorkspace,
});

export const runTask = operation({
  name: "run_task",
  summary: "Run a task once, now or later.",
  input,
  output,
  effect: "adds",
  example: { task: "invoice.send", input: { id: 7 } },
  route: { method: "POST", path: "/v1/tasks" },
  command: { name: "run", positionals: ["task"] },
  async run(request, context): Promise<z.infer<typeof output>> {
    const { key, ...rest } = request;
    const options = momentOptions(context, request.timezone);
    const { at, ...guess } =
      request.at === undefined
        ? { at: options.now }
        : parseFuture(request.at, { ...options, hasKey: key !== undefined });
    const { target, reason } = await checkedRoute(request.target, context);
    const { body, isKnown, created } = await bodyOf(request, context, { at, target });
    // A key stands for the text of the request: "+30m" is another moment the second time.
    const stored = key === undefined ? undefined : requestKey(key, { ...rest, target }, at);
    const { id, record, fresh } = await bookOf(context).append(makeTask(body, { key: stored }));
    return present({
      id,
      task: request.task,
      state: record?.state ?? "forgotten",
      due: dueOf(record?.body.at ?? at, { ...options, ...(fresh ? guess : {}) }),
      ...guess,
      target: record?.body.target ?? target,
      target_because: reason,
      fresh,
      unknown_task: isKnown ? undefined : request.task,
      missing_workspace: created,
    });
  },
  render({ id, task: name, state, due, fresh, ...run }, { language }) {
    const texts = textsOf(language);
    if (!fresh) return `${texts.runRequestedBefore({ name, state })}\n${id}`;
    const line = texts.runLine({ name, id, state, when: due.text });
    return [line, ...runNotes(run, language)].join("\n");
  },
});

async function bodyOf(
  request: Input,
  context: Context,
  { at, target }: { at: number; target: string },
): Promise<{ body: TaskKind["body"]; isKnown: boolean; created: MissingWorkspace | undefined }> {
  const definition = taskNamed(request.task, context);
  const created =
    request.in === undefined
      ? undefined
      : await runWorkspacesIn(context).checkRunIn(request.in, context);
  const body = present({
    name: request.task,
    input: await taskInput(request.task, request.input, definition),
    at,
    target,
    origin: context.origin,
    timeoutMs: timeoutOf(request.timeout, definition?.timeoutMs ?? timeoutMsDefault),
    retry: definition?.retry,
    in: request.in,
  });
  return { body, isKnown: definition !== undefined, created };
}
