import { createHash } from "node:crypto";
import { dirname } from "node:path/posix";
import type { FileLayout, FileView, WorkerFiles } from "../../kernel/files.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import { isoMsOf } from "../../platform/iso-time.ts";

/** The layouts that a store was opened with. Paths are relative to the ledger's folder. */
export interface Layouts {
  readonly byKind: ReadonlyMap<string, FileLayout>;
  readonly byFolder: ReadonlyMap<string, FileLayout>;
  /** The state folders that always exist. */
  readonly folders: readonly string[];
  /** The folders that other programs drop files in and move files to. */
  readonly sharedFolders: readonly string[];
  readonly resultFolders: readonly string[];
}

export function layoutsOf(layouts: readonly FileLayout[]): Layouts {
  const foldersOf = (statesOf: (layout: FileLayout) => readonly (string | undefined)[]) =>
    layouts.flatMap((layout) =>
      statesOf(layout).flatMap((state) =>
        state === undefined ? [] : `queue/${layout.folder}/${state}`,
      ),
    );
  return {
    byKind: new Map(layouts.map((layout) => [layout.kind.name, layout])),
    byFolder: new Map(layouts.map((layout) => [layout.folder, layout])),
    folders: foldersOf(({ stateFolders = [] }) => stateFolders),
    sharedFolders: foldersOf(({ dropFolder, worker }) => [dropFolder, worker?.claimFolder]),
    resultFolders: [...new Set(layouts.flatMap(({ worker }) => worker?.resultFolder ?? []))],
  };
}

/** The layout of the kind whose folder a path is in. */
export function layoutAt({ byFolder }: Layouts, path: string): FileLayout | undefined {
  const [queue, folder = ""] = path.split("/");
  return queue === "queue" ? byFolder.get(folder) : undefined;
}

/** Whether other programs may drop a file there. */
export function isDropPath(layouts: Layouts, path: string): boolean {
  const layout = layoutAt(layouts, path);
  return layout?.dropFolder !== undefined && isIn(layout, layout.dropFolder, path);
}

/** The worker files of a kind, if a move of a file there claims its record. */
export function claimFilesAt(layouts: Layouts, path: string): WorkerFiles | undefined {
  const layout = layoutAt(layouts, path);
  return layout?.worker && isIn(layout, layout.worker.claimFolder, path)
    ? layout.worker
    : undefined;
}

function isIn({ folder }: FileLayout, state: string, path: string): boolean {
  return dirname(path) === `queue/${folder}/${state}`;
}

export function workerFilesOf({ byKind }: Layouts, kind: string): WorkerFiles | undefined {
  return byKind.get(kind)?.worker;
}

type Located = Pick<AnyRecord, "kind" | "id" | "state"> & { readonly lease: object | null };

/**
 * The path of a record's file. A lease is not a state, but people look for running work: under a lease, lapsed or
 * not, a record is in `in_progress`, unless its layout names another folder.
 */
export function pathOf({ byKind }: Layouts, { kind, id, state, lease }: Located): string {
  const layout = byKind.get(kind);
  const folder = layout?.folder ?? `${fileName(kind)}s`;
  const stateFolder =
    layout?.stateFolder?.(state, lease !== null) ?? (lease ? "in_progress" : fileName(state));
  return `queue/${folder}/${stateFolder}/${fileName(id)}.json`;
}

/** The fields of a record's file beside the whole record. */
export function viewOf({ byKind }: Layouts, record: AnyRecord): FileView {
  const { id, kind, state, priority, createdAt } = record;
  const plain = { id, kind, priority, created_at: isoMsOf(createdAt), status: state };
  return byKind.get(kind)?.view?.(record) ?? plain;
}

export function resultPath({ resultFolder }: WorkerFiles, id: string): string {
  return `${resultFolder}/${fileName(id)}.json`;
}

/** The file that a worker touches to keep its lease. */
export function heartbeatPath({ resultFolder }: WorkerFiles, id: string): string {
  return `${resultFolder}/${fileName(id)}-heartbeat`;
}

const safe = /^[a-z0-9-][a-z0-9_-]{0,63}$/;
/** Names that are devices on Windows, whatever follows the dot. */
const device = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * Ids are any text. One that is not a safe file name becomes its safe characters and its hash: no safe name has
 * a tilde, and no two texts have the same name, also on a disk that ignores case.
 */
export function fileName(text: string): string {
  if (safe.test(text) && !device.test(text)) return text;
  const whole = JSON.stringify(text); // also distinguishes lone surrogates
  const hash = createHash("sha256").update(whole).digest("hex").slice(0, 24);
  const readable = text
    .slice(0, 60)
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, "-");
  return `${/^[a-z0-9]/.test(readable) ? readable : `_${readable}`}~${hash}`;
}
