import * as z from "zod";

/** A length of time: "10m", or seconds. */
export const length = z.union([z.string(), z.number()]);

export const workspaceInput = z
  .string()
  .min(1)
  .optional()
  .describe("the name of the workspace it runs in, which is started first");

/** The function to run, and its input. */
export const taskInputs = {
  task: z.string().min(1).describe("the name of the task to run"),
  input: z.unknown().optional().describe("the input of the task, as JSON"),
};

/** What to run: one of command, task, http and agent. */
export const runInput = z
  .strictObject({
    command: z
      .array(z.string())
      .optional()
      .describe('the program and its arguments, without a shell, such as ["./backup.sh", "full"]'),
    cwd: z
      .string()
      .min(1)
      .optional()
      .describe("the folder that the command runs in. Default: the folder in the settings"),
    task: taskInputs.task.optional().describe("the name of the task to run"),
    input: taskInputs.input,
    http: z.string().min(1).optional().describe("the URL to call, with a signed request"),
    agent: z.string().min(1).optional().describe("the goal of an agent, in plain words"),
    in: workspaceInput,
  })
  .meta({ oneOf: ["command", "task", "http", "agent"].map((name) => ({ required: [name] })) });
export type RunInput = z.infer<typeof runInput>;

export const targetInput = z
  .string()
  .optional()
  .describe(
    "where to send the output, as channel:address. Default: where it is requested, or the owner's home",
  );
export const timeoutInput = length
  .optional()
  .describe('how long one attempt may take, such as "10m"; a number is in seconds');

/** The id of the run in examples. */
export const exampleRunId = "019a8d3f-11d2-7c08-9a4f-2b3c4d5e6f71";

export const runId = z.string().min(1).describe("the id of the run");
export const targetBecause = z.enum(["asked", "origin", "home", "inbox", "import"]);
export const revision = z.coerce
  .number()
  .int()
  .min(1)
  .optional()
  .describe("change it only if it is still in this revision");

export const freshView = z.boolean().describe("false: the key was used before");
export const unknownTask = z
  .string()
  .optional()
  .describe("the task, if no program here runs it: the run waits");
export const missingWorkspace = z
  .object({
    name: z.string(),
    others: z.array(z.string()).readonly().describe("the workspaces that exist"),
  })
  .readonly()
  .optional()
  .describe("the workspace, if it does not exist yet: the first run creates it");
export const runNumber = z
  .number()
  .nullable()
  .describe("the number of the run in its schedule; null: not known");
