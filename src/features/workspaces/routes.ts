import { callOperation } from "../../kernel/call.ts";
import type { Caller, Operation } from "../../kernel/operation.ts";
import type {
  ErrorBody,
  Problem,
  Route,
  RouteCall,
  RouteContext,
  RouteTable,
} from "../../kernel/route.ts";
import { readJson } from "../../platform/http-body.ts";
import { HttpError, wrongMethod } from "../../platform/http-error.ts";
import { eventStream } from "./event-stream.ts";
import { deleteWorkspace, setWorkspace } from "./operations/change.ts";
import { createWorkspace } from "./operations/create.ts";
import { isDeleted, workspacesIn } from "./operations/find-workspace.ts";
import { restoreWorkspace } from "./operations/levels.ts";
import { listWorkspaces, showWorkspace } from "./operations/show.ts";
import { shownWorkspace, workspaceView, type WorkspaceView } from "./operations/view.ts";
import { newWorkspace, pageOf, parseBody, workspaceChanges } from "./route-input.ts";

const allPath = "/api/v1/workspaces";
const onePath = "/api/v1/workspaces/:id";

type Call = RouteCall & { readonly caller: Caller };

/** The endpoints of the first workspaces: the same operations, in their shape. */
export function workspaceRoutes(context: RouteContext): RouteTable {
  const stream = eventStream(context);
  const route = (
    method: Route["methods"][number],
    path: string,
    handle: (call: Call) => Promise<Response>,
  ): Route => ({ methods: [method], path, auth: "caller", handle });
  return {
    routes: [
      route("GET", allPath, (call) => list(context, call)),
      route("POST", allPath, (call) => create(context, call)),
      route("GET", onePath, async (call) => Response.json(await found(context, call))),
      route("PATCH", onePath, (call) => change(context, call)),
      route("DELETE", onePath, (call) => remove(context, call)),
      route("POST", onePath, (call) => restore(context, call)),
      route("GET", `${onePath}/events`, async (call) => {
        const { id } = await found(context, call);
        return stream(call, id);
      }),
      route("GET", "/api/v1/events", async (call) => {
        await request(context, listWorkspaces, {}, call.caller);
        return stream(call, undefined);
      }),
      route("ALL", allPath, () => Promise.reject(wrongMethod("GET, POST"))),
      route("ALL", onePath, () => Promise.reject(wrongMethod("GET, PATCH, DELETE"))),
    ],
    errors: { under: "/api/v1/", write: errorBody },
  };
}

async function list(context: RouteContext, { request: given, caller }: Call): Promise<Response> {
  await request(context, listWorkspaces, {}, caller);
  const { limit, offset } = pageOf(given.url);
  const book = context.ledger.of(caller.owner, caller.by);
  const all = (await workspacesIn(book)).filter((record) => !isDeleted(record)).toReversed();
  const workspaces = all.slice(offset, offset + limit).map(shownWorkspace);
  return Response.json({ workspaces, total: all.length, limit, offset });
}

async function create(context: RouteContext, { request: given, caller }: Call): Promise<Response> {
  const input = parseBody(newWorkspace, await readJson(given));
  const made = await request(context, createWorkspace, input, caller);
  return Response.json(made, { status: made["fresh"] === false ? 200 : 201 });
}

async function change(context: RouteContext, call: Call): Promise<Response> {
  const changes = parseBody(workspaceChanges, await readJson(call.request));
  const { id } = await idle(context, call);
  return Response.json(await request(context, setWorkspace, { id, ...changes }, call.caller));
}

async function remove(context: RouteContext, call: Call): Promise<Response> {
  const { id } = await idle(context, call);
  await request(context, deleteWorkspace, { id }, call.caller);
  return new Response(null, { status: 204 });
}

/** `POST /api/v1/workspaces/ID:restore` */
async function restore(context: RouteContext, call: Call): Promise<Response> {
  const [which = "", verb] = (call.params["id"] ?? "").split(/:(?=[a-z]+$)/);
  if (verb !== "restore") throw wrongMethod("GET, PATCH, DELETE");
  const { id } = await idle(context, { caller: call.caller, params: { id: which } });
  const view = await request(context, restoreWorkspace, { id }, call.caller);
  return Response.json(view, { status: 202 });
}

async function request(
  context: RouteContext,
  operation: Operation,
  input: unknown,
  caller: Caller,
): Promise<Readonly<Record<string, unknown>>> {
  const { output } = await callOperation(context, operation, input, caller);
  return output as Readonly<Record<string, unknown>>; // each answers an object
}

type Selection = Pick<Call, "params" | "caller">;

/** Finds a workspace by its id alone; a deleted one does not count. */
async function found(context: RouteContext, { params, caller }: Selection): Promise<WorkspaceView> {
  const { id = "" } = params;
  const view = workspaceView.parse(await request(context, showWorkspace, { id }, caller));
  if (view.id === id && view.deleted_at === null && view.status !== "DELETED") return view;
  throw new HttpError(404, "not_found", "There is no such workspace.");
}

/** A workspace without an operation under way. */
async function idle(context: RouteContext, selection: Selection): Promise<WorkspaceView> {
  const view = await found(context, selection);
  if (view.operation === "NONE") return view;
  const message = `${view.operation} is under way: wait until it is done.`;
  throw new HttpError(409, "leased", message);
}

function errorBody(problem: Problem): ErrorBody {
  const { detail: message, details } = problem;
  const status = statuses[problem.status] ?? problem.status;
  const isLimit = details?.["limit_type"] !== undefined;
  const code = isLimit ? "RUNNING_LIMIT_EXCEEDED" : (codes[status] ?? "INTERNAL_ERROR");
  return { status, body: { error: { code, message, details: isLimit ? details : undefined } } };
}

const codes: Readonly<Record<number, string>> = {
  400: "INVALID_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "WORKSPACE_NOT_FOUND",
  405: "METHOD_NOT_ALLOWED",
  409: "INVALID_STATE",
  429: "TOO_MANY_REQUESTS",
  502: "UPSTREAM_UNAVAILABLE",
};

/** Statuses that the first workspaces did not have. */
const statuses: Readonly<Record<number, number>> = {
  412: 409,
  413: 400,
  415: 400,
  422: 400,
  503: 502,
  504: 500,
};
