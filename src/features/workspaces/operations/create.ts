import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import type { DraftOf } from "../../../kernel/unit.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import { fields, requestKey, checkedRoute } from "../../notifications/index.ts";
import { makeWorkspace, type NewWorkspace } from "../draft.ts";
import type { WorkspaceKind } from "../kind.ts";
import { requestContext, workspacesOf } from "../ports.ts";
import { textsOf } from "../texts.ts";
import { isDeleted, liveNamed, type Workspace } from "./find-workspace.ts";
import { levelInput, ttlAliases, ttlInputs, ttlsOf } from "./inputs.ts";
import { isNameTaken, refusalOf } from "./refusals.ts";
import { shownWorkspace, workspaceView } from "./view.ts";

const input = z.strictObject({
  name: z.string().min(1).describe("the name of the workspace"),
  image: z
    .string()
    .min(1)
    .optional()
    .describe('the image of its machine, such as "node:24". Default: the image in the settings'),
  description: z.string().nullable().optional().describe("what the workspace is for"),
  memo: z.string().nullable().optional().describe("your own note"),
  desired_state: levelInput
    .default("RUNNING")
    .describe(
      "the desired state: RUNNING, STANDBY (asleep) or PENDING (archived). Default: RUNNING",
    ),
  ...ttlInputs,
  memory: z.coerce.number().optional().describe("the memory of its machine in megabytes"),
  cpus: z.coerce.number().optional().describe("the CPUs of its machine, such as 0.5"),
  target: z
    .string()
    .optional()
    .describe(
      "where its owner is notified, as channel:address. Default: where it is requested, or the owner's home",
    ),
  key: fields.key,
});
type Input = z.infer<typeof input>;

const output = workspaceView.extend({
  fresh: z.boolean().describe("false: it existed already, with these settings"),
});

export const createWorkspace = operation({
  name: "create_workspace",
  summary: "Create a workspace: a machine and its files, kept in the desired state.",
  input,
  output,
  aliases: { image_ref: "image", memory_mb: "memory", ...ttlAliases },
  effect: "adds",
  example: { name: "scratch", image: "node:24", sleep_after: "10m" },
  route: { method: "POST", path: "/v1/workspaces" },
  command: { name: "workspace create", aliases: ["keep"], positionals: ["name"] },
  async run(request, context): Promise<z.infer<typeof output>> {
    const wanted = await wantedOf(request, context);
    const { location } = workspacesOf(context);
    const draft = keyed(makeWorkspace(wanted, location, requestContext(context)), request, context);
    try {
      const { id, record, fresh } = await bookOf(context).append(draft);
      if (record === null || isDeleted(record)) throw deletedBefore(id);
      return { ...shownWorkspace(record), fresh };
    } catch (error) {
      const before = isNameTaken(error)
        ? await liveNamed(bookOf(context), request.name)
        : undefined;
      if (before === undefined) throw await refusalOf(error, request.name, context);
      checkSame(before, request, wanted);
      return { ...shownWorkspace(before), fresh: false };
    }
  },
  render(made, { language }) {
    const texts = textsOf(language);
    const { name, image_ref: image, desired_state: desired } = made;
    if (!made.fresh) return `${texts.keptBefore(made)}\n${made.id}`;
    return `${texts.kept({ name, image, desired })}\n${made.id}`;
  },
});

/** The request, with the settings of this name for fields that it leaves out. */
async function wantedOf(request: Input, context: Context): Promise<NewWorkspace> {
  const set = workspacesOf(context).defaults(request.name);
  const imageRef = request.image ?? set.imageRef;
  if (imageRef === null) throw noImage(request.name);
  const { target } = await checkedRoute(request.target, context);
  return {
    owner: context.owner,
    name: request.name,
    description: request.description ?? null,
    memo: request.memo ?? null,
    imageRef,
    machine: {
      ...set.machine,
      memoryMb: request.memory ?? set.machine.memoryMb,
      cpus: request.cpus ?? set.machine.cpus,
    },
    desired: request.desired_state,
    standbyTtlSeconds: set.standbyTtlSeconds,
    archiveTtlSeconds: set.archiveTtlSeconds,
    wakeAheadSeconds: set.wakeAheadSeconds,
    ...ttlsOf(request),
    target,
    origin: context.origin,
  };
}

function noImage(name: string): DaybookError {
  const sentence = `No image is set for ${quote(name)}: name one with daybook workspace create ${name} --image IMAGE, or set workspaces.image in daybook.yaml.`;
  return new DaybookError("invalid", sentence, { details: { name } });
}

/** A key stands for the request as it was typed. */
function keyed(
  draft: DraftOf<WorkspaceKind>,
  { key, ...asked }: Input,
  context: Context,
): DraftOf<WorkspaceKind> {
  return key === undefined ? draft : { ...draft, key: requestKey(key, asked, context.now()) };
}

function deletedBefore(id: string): DaybookError {
  const sentence = `The workspace ${id} that this key created was deleted: choose another key.`;
  return new DaybookError("ended", sentence, { details: { id } });
}

/** A repeated request is for the same workspace if every field that it gives is the same. */
function checkSame(before: Workspace, request: Input, wanted: NewWorkspace): void {
  const { id, body } = before;
  if (isDeleted(before)) {
    const sentence = `The workspace ${quote(body.name)} is being deleted: create it again when that is done.`;
    throw new DaybookError("held", sentence, { details: { name: body.name, id } });
  }
  const compared: readonly (readonly [name: string, isSame: boolean])[] = [
    ["image", request.image === undefined || request.image === body.imageRef],
    ["description", request.description === undefined || request.description === body.description],
    ["memo", request.memo === undefined || request.memo === body.memo],
    ["memory", request.memory === undefined || request.memory === body.machine.memoryMb],
    ["cpus", request.cpus === undefined || request.cpus === body.machine.cpus],
    ...unchangedTtls(request, body, wanted),
  ];
  const differs = compared.filter(([, isSame]) => !isSame).map(([name]) => name);
  if (differs.length === 0) return;
  const sentence = `There is already a workspace ${quote(body.name)}, with another ${differs.join(", ")}: choose another name, or change that one with daybook workspace edit.`;
  throw new DaybookError("held", sentence, { details: { name: body.name, id, differs } });
}

function unchangedTtls(
  request: Input,
  body: Workspace["body"],
  wanted: NewWorkspace,
): (readonly [name: string, isSame: boolean])[] {
  const names = [
    ["sleep_after", "standbyTtlSeconds"],
    ["archive_after", "archiveTtlSeconds"],
    ["wake_ahead", "wakeAheadSeconds"],
  ] as const;
  return names.map(([name, key]) => [
    name,
    request[name] === undefined || wanted[key] === body[key],
  ]);
}
