import { DaybookError } from "../../platform/errors.ts";
import type { Command, Run } from "./command.ts";

/** Commands about this machine, in the order of completion. Each loads its own file when it is run. */
const own: Readonly<Record<string, () => Promise<Command>>> = {
  attach: async () => (await import("./attach.ts")).attach,
  on: async () => (await import("./on.ts")).on,
  wrap: async () => (await import("./wrap.ts")).wrap,
  start: async () => (await import("./serve.ts")).start,
  status: async () => (await import("./status.ts")).status,
  doctor: async () => (await import("./doctor.ts")).doctor,
  "config check": async () => (await import("./config-commands.ts")).check,
  "config show": async () => (await import("./config-commands.ts")).show,
  "config schema": async () => (await import("./config-commands.ts")).schema,
  "config init": async () => (await import("./config-commands.ts")).init,
  mcp: async () => (await import("./serve.ts")).mcp,
  completion: async () => (await import("./completion.ts")).completion,
};

export async function ownCommands(): Promise<readonly Command[]> {
  return Promise.all(Object.values(own).map((load) => load()));
}

/** Operations check their own input; the inputs of these commands are checked here, in the same words. */
export async function ownRun(name: string): Promise<Run> {
  const load = own[name];
  if (load === undefined) throw new DaybookError("bug", `Nothing here runs the command ${name}.`);
  const { inputs, run } = await load();
  return (typed, ports) => {
    const problems = inputs.flatMap(({ name, summary, values, isRequired }) => {
      const given = typed.input[name];
      if (given === undefined) return isRequired ? [`"${name}" is missing: ${summary}`] : [];
      if (values.length === 0 || (typeof given === "string" && values.includes(given))) return [];
      return [`"${name}" must be one of ${values.join(", ")}`];
    });
    if (problems.length === 0) return run(typed, ports);
    throw new DaybookError("invalid", `${problems.join("; ")}.`, { details: { problems } });
  };
}
