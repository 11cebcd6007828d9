import type { Hono } from "hono";
import * as z from "zod";
import {
  deleteWorkspace,
  setWorkspace,
  createWorkspace,
  workspacesIn,
  isDeleted,
  restoreWorkspace,
  showWorkspace,
  listWorkspaces,
  shownWorkspace,
  workspaceView,
  type WorkspaceView,
} from "../../features/workspaces/index.ts";
import { ask } from "../../kernel/ask.ts";
import type { Installation, Caller, Operation } from "../../kernel/operation.ts";
import { readJson } from "./body.ts";
import type { Peer } from "./callers.ts";
import { HttpError, wrongMethod } from "./problem.ts";
import { eventsPath, workspacesPath } from "./seed-envelopes.ts";
import { workspaceStream, type StreamParts } from "./workspace-stream.ts";

interface Env {
  Bindings: Peer;
  Variables: { caller: Caller };
}

/** The endpoints of the first workspaces: the same operations, in their shape. */
export function addSeedWorkspaces(app: Hono<Env>, parts: StreamParts): void {
  const { installation } = parts;
  const one = `${workspacesPath}/:id`;
  const stream = workspaceStream(parts);
  app.get(workspacesPath, async (c) => {
    await askFor(installation, listWorkspaces, {}, c.var.caller);
    const { limit, offset } = pageOf(new URL(c.req.url).searchParams);
    const book = installation.ledger.of(c.var.caller.owner, c.var.caller.by);
    const all = (await workspacesIn(book)).filter((record) => !isDeleted(record)).toReversed();
    const workspaces = all.slice(offset, offset + limit).map(shownWorkspace);
    return Response.json({ workspaces, total: all.length, limit, offset });
  });
  app.post(workspacesPath, async (c) => {
    const given = parseBody(newWorkspace, await readJson(c.req.raw));
    const made = await askFor(installation, createWorkspace, given, c.var.caller);
    return Response.json(made, { status: made["fresh"] === false ? 200 : 201 });
  });
  app.get(one, async (c) =>
    Response.json(await found(installation, c.req.param("id"), c.var.caller)),
  );
  app.patch(one, async (c) => {
    const given = parseBody(workspaceChanges, await readJson(c.req.raw));
    const { id } = await idle(installation, c.req.param("id"), c.var.caller);
    return Response.json(await askFor(installation, setWorkspace, { id, ...given }, c.var.caller));
  });
  app.delete(one, async (c) => {
    const { id } = await idle(installation, c.req.param("id"), c.var.caller);
    await askFor(installation, deleteWorkspace, { id }, c.var.caller);
    return new Response(null, { status: 204 });
  });
  app.post(one, async (c) => {
    const [which = "", verb] = c.req.param("id").split(/:(?=[a-z]+$)/);
    if (verb !== "restore") throw wrongMethod("GET, PATCH, DELETE");
    const { id } = await idle(installation, which, c.var.caller);
    const view = await askFor(installation, restoreWorkspace, { id }, c.var.caller);
    return Response.json(view, { status: 202 });
  });
  app.get(`${one}/events`, async (c) => {
    const { id } = await found(installation, c.req.param("id"), c.var.caller);
    return stream(c.req.raw, { peer: c.env, caller: c.var.caller, id });
  });
  app.get(eventsPath, async (c) => {
    await askFor(installation, listWorkspaces, {}, c.var.caller);
    return stream(c.req.raw, { peer: c.env, caller: c.var.caller, id: undefined });
  });
  app.all(workspacesPath, () => {
    throw wrongMethod("GET, POST");
  });
  app.all(one, () => {
    throw wrongMethod("GET, PATCH, DELETE");
  });
}

const ttl = z.number().int().min(1).optional();
const changes = {
  description: z.string().nullish(),
  memo: z.string().nullish(),
  standby_ttl_seconds: ttl,
  archive_ttl_seconds: ttl,
};
const newWorkspace = z.strictObject({
  name: z.string().min(1),
  ...changes,
  image_ref: z.string().min(1).optional(),
});
const workspaceChanges = z.strictObject({
  name: z.string().min(1).optional(),
  ...changes,
  desired_state: z.enum(["PENDING", "STANDBY", "RUNNING"]).optional(),
});

/** Parses a body, without absent values. */
function parseBody(shape: z.ZodObject, body: unknown): Record<string, unknown> {
  const { success, data, error } = shape.safeParse(body);
  if (success) {
    return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
  }
  const [issue] = error.issues;
  const name = issue?.path.join(".") ?? "";
  const names = Object.keys(shape.shape).join(", ");
  const subject = name === "" ? "The body" : `"${name}"`;
  throw new HttpError(400, "invalid", `${subject} is wrong: send an object with some of ${names}.`);
}

const limitMax = 100;
const limitUsual = 50;

function pageOf(query: URLSearchParams): { limit: number; offset: number } {
  const limit = wholeIn(query, "limit", limitUsual);
  const offset = wholeIn(query, "offset", 0);
  if (limit >= 1 && limit <= limitMax) return { limit, offset };
  throw new HttpError(400, "invalid", `"limit" must be a whole number from 1 to ${limitMax}.`);
}

function wholeIn(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name);
  if (text === null) return otherwise;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new HttpError(400, "invalid", `"${name}" must be a whole number.`);
}

/** Asks an operation with the usual checks. */
async function askFor(
  installation: Installation,
  operation: Operation,
  input: unknown,
  caller: Caller,
): Promise<Readonly<Record<string, unknown>>> {
  const { output } = await ask(installation, operation, input, caller);
  return output as Readonly<Record<string, unknown>>; // each answers an object
}

/** Finds a workspace by its id alone; a deleted one does not count. */
async function found(
  installation: Installation,
  id: string,
  caller: Caller,
): Promise<WorkspaceView> {
  const view = workspaceView.parse(await askFor(installation, showWorkspace, { id }, caller));
  if (view.id === id && view.deleted_at === null && view.status !== "DELETED") return view;
  throw new HttpError(404, "not_found", "There is no such workspace.");
}

/** A workspace without an operation under way. */
async function idle(
  installation: Installation,
  id: string,
  caller: Caller,
): Promise<WorkspaceView> {
  const view = await found(installation, id, caller);
  if (view.operation === "NONE") return view;
  const message = `${view.operation} is under way: wait until it is done.`;
  throw new HttpError(409, "leased", message);
}
