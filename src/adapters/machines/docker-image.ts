import { StringDecoder } from "node:string_decoder";
import type { StartContext } from "../../features/workspaces/index.ts";
import { DaybookError } from "../../platform/errors.ts";
import { type EngineAnswer, type Engine, bodyOf, messageIn, unexpected } from "./docker-api.ts";

/** A pull without progress for so long has failed. */
const pullSilenceMs = 120_000;

interface ImageRef {
  readonly name: string;
  readonly tag: string;
  readonly digest: string | null;
}

const refShape =
  /^(?<name>[a-z0-9][a-zA-Z0-9._-]*(?::\d+(?=\/))?(?:\/[a-z0-9][a-z0-9._-]*)*)(?::(?<tag>[\w][\w.-]{0,127}))?(?:@(?<digest>sha256:[0-9a-f]{64}))?$/u;

function readImageRef(text: string): ImageRef {
  const { name, tag, digest } = refShape.exec(text)?.groups ?? {};
  if (name === undefined) {
    const toDo = "write it as name, name:tag or name@sha256:… with 64 hex digits";
    throw new DaybookError("invalid", `${JSON.stringify(text)} is not an image name: ${toDo}.`);
  }
  return { name, tag: tag ?? "latest", digest: digest ?? null };
}

interface ImageOptions {
  readonly engine: Engine;
  /** Whether a missing image is pulled. */
  readonly pull: boolean;
}

/** The id of the image. */
export async function imageId(
  options: ImageOptions,
  text: string,
  context: StartContext,
): Promise<string> {
  const { engine } = options;
  const ref = readImageRef(text);
  // A digest alone decides, not the local tag.
  const exact = ref.digest === null ? `${ref.name}:${ref.tag}` : `${ref.name}@${ref.digest}`;
  const existing = await inspectImage(engine, exact, context.signal);
  if ("Id" in existing) return checked(existing, ref, text);
  if (!options.pull) throw notThere(text, existing.reason);
  await pull(engine, ref, text, context);
  const pulled = await inspectImage(engine, exact, context.signal);
  if (!("Id" in pulled)) throw missingImage(text, "it is missing after the pull");
  return checked(pulled, ref, text);
}

interface Image {
  readonly Id: string;
  readonly RepoDigests?: readonly string[] | null;
}

async function inspectImage(
  engine: Engine,
  exact: string,
  signal: AbortSignal,
): Promise<Image | { readonly reason: string }> {
  const answer = await engine.send({ method: "GET", path: `/images/${exact}/json`, signal });
  if (answer.status === 404) return { reason: messageIn(answer) };
  return bodyOf(answer, `inspect the image ${exact}`, 200) as Image;
}

function checked(image: Image, { digest }: ImageRef, text: string): string {
  const digests = [image.Id, ...(image.RepoDigests ?? []).map((each) => each.split("@")[1])];
  if (digest !== null && !digests.includes(digest)) {
    throw missingImage(text, `the engine has ${digests.join(", ")}`);
  }
  return image.Id;
}

async function pull(
  engine: Engine,
  { name, tag, digest }: ImageRef,
  text: string,
  context: StartContext,
): Promise<void> {
  context.progress(`pulling ${text}`);
  const query = { fromImage: name, tag: digest ?? tag };
  const answer = await engine.stream({
    method: "POST",
    path: "/images/create",
    query,
    signal: context.signal,
    timeoutMs: pullSilenceMs,
  });
  if (!("pieces" in answer)) throw notPulled(answer, text);
  const layers = new Map<string, Step>();
  let shown = "";
  for await (const line of linesOf(answer.pieces)) {
    const step = line as Step;
    if (step.error !== undefined) {
      throw notPulled({ status: 404, body: { message: step.error } }, text);
    }
    if (step.id !== undefined) layers.set(step.id, step);
    const now = progressOf(layers, text);
    if (now !== shown) context.progress(now);
    shown = now;
  }
}

/** One line of a pull's progress. */
interface Step {
  readonly id?: string;
  readonly status?: string;
  readonly error?: string;
  readonly progressDetail?: { readonly current?: number; readonly total?: number };
}

const exists = /^(?:Pull complete|Already exists)/u;

function progressOf(layers: ReadonlyMap<string, Step>, text: string): string {
  const steps = [...layers.values()].filter(
    ({ status }) => status?.startsWith("Pulling from") !== true,
  );
  const done = steps.filter(({ status }) => exists.test(status ?? "")).length;
  return steps.length === 0
    ? `pulling ${text}`
    : `pulling ${text}: ${done} of ${steps.length} layers`;
}

const isMissing =
  /not found|does not exist|manifest unknown|access denied|unauthorized|no such image|verification failed|unknown blob/iu;
const isAway =
  /connection refused|no such host|timeout|timed out|unreachable|server misbehaving|reset by peer|deadline|TLS|EOF/iu;

function notPulled(answer: Pick<EngineAnswer, "status" | "body">, text: string): DaybookError {
  const reason = messageIn(answer);
  if (isMissing.test(reason)) return missingImage(text, reason);
  if (!isAway.test(reason)) return unexpected(answer, `pull the image ${text}`);
  const toDo = "check that the engine's machine reaches it, or pull the image there yourself";
  return new DaybookError(
    "unavailable",
    `The registry of the image ${text} cannot be reached (${reason}): ${toDo}.`,
    { details: { endpoint: "registry", image: text, stderr: reason } },
  );
}

function notThere(text: string, reason: string): DaybookError {
  const toDo = `pull it there (docker pull ${text}), or set docker.pull to true`;
  return new DaybookError("invalid", `The engine has no image ${text} (${reason}): ${toDo}.`, {
    details: { image: text, stderr: reason },
  });
}

function missingImage(text: string, reason: string): DaybookError {
  const toDo = "check its name, tag and digest, and that the engine may pull it (`docker pull`)";
  return new DaybookError("invalid", `The image ${text} does not exist (${reason}): ${toDo}.`, {
    details: { image: text, stderr: reason },
  });
}

/** The JSON values of a stream of lines. Other lines are skipped. */
async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for await (const piece of pieces) {
    const lines = (rest + decoder.write(Buffer.from(piece))).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield* valueOf(line);
  }
  yield* valueOf(rest + decoder.end());
}

function valueOf(line: string): unknown[] {
  if (line.trim() === "") return [];
  try {
    return [JSON.parse(line) as unknown];
  } catch {
    return [];
  }
}
