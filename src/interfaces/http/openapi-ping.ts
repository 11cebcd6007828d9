type Schema = Readonly<Record<string, unknown>>;

/** The addresses to ping: no operation, since the address itself is the right to. */
export function pingPaths(): Readonly<Record<string, Readonly<Record<string, Schema>>>> {
  const ended =
    "It ended well. What is posted is kept as its output: the last 64 KiB of 64 MiB at most.";
  const said = "It began (`start`), failed (`fail`), or ended with this exit status (0 to 255).";
  return {
    "/ping/{token}": bothMethods("ping", ended, [token]),
    "/ping/{token}/{what}": bothMethods("ping_what", said, [token, what]),
  };
}

function bothMethods(
  name: string,
  summary: string,
  parameters: readonly Schema[],
): Readonly<Record<string, Schema>> {
  const path = { summary, parameters, security: [], responses };
  const requestBody = {
    required: false,
    content: { "text/plain": { schema: { type: "string" } } },
  };
  return {
    get: { operationId: name, ...path },
    post: { operationId: `${name}_post`, ...path, requestBody },
  };
}

const token: Schema = inPath("token", { type: "string" }, "As `ping_url` of a watch has it.");
const what: Schema = inPath(
  "what",
  { type: "string", pattern: "^(start|fail|\\d{1,3})$" },
  "`start`, `fail`, or an exit status.",
);

function inPath(name: string, schema: Schema, description: string): Schema {
  return { name, in: "path", required: true, description, schema };
}

const responses: Schema = {
  "200": { description: "Taken.", content: { "text/plain": { schema: { type: "string" } } } },
  default: { $ref: "#/components/responses/Problem" },
};
