import * as z from "zod";

/** A length of time: "10m", or seconds. */
export const length = z.union([z.string(), z.number()]);

export const workspaceInput = z
  .string()
  .min(1)
  .optional()
  .describe("the workspace it runs in, by its name: it is brought up before");

/** What runs, as it is asked for: one of command, task, http and agent. */
export const runInput = z.strictObject({
  command: z
    .array(z.string())
    .optional()
    .describe("the program and its words; no shell is between"),
  cwd: z
    .string()
    .min(1)
    .optional()
    .describe("the folder that the command runs in; the daemon's own when absent"),
  task: z.string().min(1).optional().describe("the task that runs, by its name"),
  input: z.unknown().optional().describe("what the task gets, as JSON"),
  http: z.string().min(1).optional().describe("the URL that is called instead, signed"),
  agent: z.string().min(1).optional().describe("the goal that an agent gets, in words"),
  in: workspaceInput,
});
export type RunInput = z.infer<typeof runInput>;

export const targetInput = z
  .string()
  .optional()
  .describe("where, as channel:address; when absent, where it is asked, or the owner's home");
export const timeoutInput = length.optional().describe('how long a run may take, such as "10m"');

/** The id of the run in examples. */
export const exampleRunId = "019a8d3f-11d2-7c08-9a4f-2b3c4d5e6f71";

export const runId = z.string().min(1).describe("which run, by its id");
export const targetBecause = z.enum(["asked", "origin", "home", "inbox", "import"]);
export const revision = z.coerce
  .number()
  .int()
  .min(1)
  .optional()
  .describe("only if it is still in this revision");
