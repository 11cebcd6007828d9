import * as z from "zod";
import type { Operation } from "../../kernel/operation.ts";
import { present } from "../../platform/json.ts";
import recorded from "./examples.json" with { type: "json" };
import { hasInput, routesOf, type Route } from "./route.ts";

type Schema = Readonly<Record<string, unknown>>;
type Properties = Readonly<Record<string, Schema>>;

/** The answers to the operations' examples, by operation: `npm run examples` wrote them. */
const answers: ReadonlyMap<string, unknown> = new Map(Object.entries(recorded));

/** The API as OpenAPI 3.1, from the operations and their examples, with paths of other routes. */
export function openApi(
  operations: readonly Operation[],
  version: string,
  otherPaths: Schema = {},
): Schema {
  const routes = operations.flatMap(routesOf);
  const paths: Record<string, Record<string, Schema>> = {};
  const schemas: Record<string, Schema> = { Problem: problem };
  for (const route of routes) {
    const { id, path } = route;
    const { name, route: where } = route.operation;
    const method = where.method.toLowerCase();
    paths[path] = { ...paths[path], [method]: request(route) };
    schemas[`${name}_answer`] = component(`${name}_answer`, route.operation.output, "output");
    if (route.takesBody) schemas[`${id}_input`] = body(route);
  }
  return {
    openapi: "3.1.0",
    info: { title: "Daybook", version, description: "A durable ledger that is the schedule." },
    security: [{ token: [] }, { browser: [] }],
    paths: { ...paths, ...otherPaths },
    components: {
      schemas,
      responses: { Problem: { description: "What went wrong, and what to do.", content: fault } },
      securitySchemes: {
        token: { type: "http", scheme: "bearer" },
        browser: { type: "apiKey", in: "cookie", name: "daybook_session" },
      },
    },
  };
}

function request(route: Route): Schema {
  const { operation, takesBody } = route;
  const { name, summary, effect, scope, route: where } = operation;
  const isMade = effect === "adds" && where.method === "POST";
  const schema = ref(`${name}_answer`);
  const plain = { content: { "application/json": { schema } } };
  const answer = {
    content: { "application/json": present({ schema, example: answers.get(name) }) },
  };
  return {
    operationId: route.id,
    summary,
    description: `Needs the scope \`${scope}\`.`,
    parameters: parameters(route),
    ...(takesBody
      ? {
          requestBody: {
            required: isBodyRequired(route),
            content: content(route),
          },
        }
      : {}),
    responses: {
      ...(isMade ? { "201": { description: "Made.", ...answer } } : {}),
      "200": isMade
        ? { description: "It had been asked before.", ...plain }
        : { description: "Done.", ...answer },
      default: { $ref: "#/components/responses/Problem" },
    },
  };
}

function parameters(route: Route): Schema[] {
  const { operation, params, takesBody } = route;
  const { properties, required } = inputSchema(operation);
  const { example = {} } = operation;
  const inRequest = Object.entries(properties)
    .filter(([name]) => params.includes(name) || !takesBody)
    .map(([name, { description, ...schema }]) =>
      present({
        name,
        in: params.includes(name) ? "path" : "query",
        required: params.includes(name) || required.includes(name),
        description,
        schema,
        example: example[name],
      }),
    );
  const header = (name: string, description: string): Schema => {
    return { name, in: "header", description, schema: { type: "string" } };
  };
  return [
    ...inRequest,
    ...(hasInput(operation, "key")
      ? [header("Idempotency-Key", "The input `key`: asking again does not ask twice.")]
      : []),
    ...(hasInput(operation, "revision") && operation.effect !== "none"
      ? [header("If-Match", "The input `revision`, quoted: 412 when the record has changed.")]
      : []),
    ...(hasInput(operation, "hops")
      ? [header("Daybook-Hops", "The input `hops`: how many events led to this one.")]
      : []),
  ];
}

/** The input without the parameters of the path. */
function body({ operation, params }: Route): Schema {
  const { properties, required, ...rest } = inputSchema(operation);
  const left = Object.entries(properties).filter(([name]) => !params.includes(name));
  const needed = required.filter((name) => !params.includes(name));
  return present({
    ...rest,
    properties: Object.fromEntries(left),
    required: needed.length > 0 ? needed : undefined,
  });
}

function isBodyRequired(route: Route): boolean {
  return body(route)["required"] !== undefined;
}

function content({ id, params, operation: { example = {} } }: Route): Schema {
  const left = Object.entries(example).filter(([name]) => !params.includes(name));
  const shown = left.length === 0 ? undefined : Object.fromEntries(left);
  return { "application/json": present({ schema: ref(`${id}_input`), example: shown }) };
}

function inputSchema(operation: Operation): Schema & {
  properties: Properties;
  required: readonly string[];
} {
  const schema = component(`${operation.name}_input`, operation.input, "input");
  return { properties: {}, required: [], ...schema };
}

/** A schema under its name: its internal references point there. */
function component(name: string, type: z.ZodType, io: "input" | "output"): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: "any" });
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === "$ref" && typeof value === "string" && value.startsWith("#")
        ? `#/components/schemas/${name}${value.slice(1)}`
        : value,
    ),
  ) as Schema;
}

function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

const problem: Schema = {
  type: "object",
  description: "RFC 9457.",
  required: ["type", "title", "status", "detail", "code", "request_id"],
  properties: {
    type: { type: "string", description: "Stands for `code`, and never changes." },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string", description: "A sentence that says what to do." },
    code: { type: "string" },
    problems: {
      type: "array",
      items: {
        type: "object",
        properties: { path: { type: "string" }, text: { type: "string" } },
      },
    },
    details: { type: "object", description: "Facts for programs." },
    request_id: { type: "string" },
  },
};

const fault: Schema = {
  "application/problem+json": {
    schema: { $ref: "#/components/schemas/Problem" },
    example: {
      type: "urn:daybook:problem:invalid",
      title: "The input is wrong",
      status: 422,
      detail: '"limit" must be at most 500.',
      code: "invalid",
      problems: [{ path: "limit", text: '"limit" must be at most 500' }],
      request_id: "9f86d081884c7d65",
    },
  },
};
