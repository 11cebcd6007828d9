import { callOperation } from "../../../kernel/call.ts";
import type { Operation } from "../../../kernel/operation.ts";
import type { RouteCall, RouteContext, RouteTable } from "../../../kernel/route.ts";
import { wrongMethod } from "../../../platform/http-error.ts";
import type { ExportPage } from "./export.ts";

const path = "/v1/book/export.jsonl";

/** The export as one stream: every page of the operation, one after another. */
export function exportRoutes(context: RouteContext, exportBook: Operation): RouteTable {
  return {
    routes: [
      {
        methods: ["GET"],
        path,
        auth: "caller",
        handle: (call) => streamed(context, exportBook, call),
      },
      { methods: ["ALL"], path, auth: "caller", handle: () => Promise.reject(wrongMethod("GET")) },
    ],
    openapi,
  };
}

const headers = { "content-type": "application/x-ndjson", "cache-control": "no-store" };

const openapi = {
  [path]: {
    get: {
      operationId: "export_book_stream",
      summary: "Export the records of a book as one stream of JSON Lines.",
      description: "Its last line has the number of records: without it, the stream was cut off.",
      parameters: ["kind", "owner"].map((name) => ({
        name,
        in: "query",
        schema: name === "kind" ? { type: "array", items: { type: "string" } } : { type: "string" },
      })),
      responses: {
        200: {
          description: "A first line about the file, a line for each record, and a last line.",
          content: { "application/x-ndjson": { schema: { type: "string" } } },
        },
      },
    },
  },
};

async function streamed(
  context: RouteContext,
  exportBook: Operation,
  { request, stopping, findCaller }: RouteCall,
): Promise<Response> {
  const input = inputFrom(new URL(request.url).searchParams);
  // A token that is revoked meanwhile gets no further page.
  const read = async (after?: string): Promise<ExportPage> => {
    const asked = after === undefined ? input : { ...input, after };
    const { output } = await callOperation(context, exportBook, asked, await findCaller());
    return output as ExportPage; // the operation's own answer
  };
  const first = await read(); // what is wrong with the request is answered, before the stream begins
  const signal = AbortSignal.any([request.signal, ...(stopping ? [stopping] : [])]);
  const body = ReadableStream.from(textsOf(first, read, signal)).pipeThrough(
    new TextEncoderStream(),
  );
  return new Response(request.method === "HEAD" ? null : body, { headers });
}

/** The names and values are checked by the operation. */
function inputFrom(query: URLSearchParams): Readonly<Record<string, unknown>> {
  const names = [...new Set(query.keys())].filter((name) => name !== "after");
  return Object.fromEntries(
    names.map((name) => [name, name === "kind" ? query.getAll(name) : query.get(name)]),
  );
}

/** A page is read when the one before it was taken: a slow reader holds one page in memory. */
async function* textsOf(
  first: ExportPage,
  read: (after: string) => Promise<ExportPage>,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  for (let page = first; ;) {
    if (page.lines.length > 0) yield `${page.lines.join("\n")}\n`;
    if (page.next === null) return;
    signal.throwIfAborted();
    page = await read(page.next);
  }
}
