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
  /** The name of an id's file, without its extension. */
  nameOf(id: string): string;
}

/** The folders of records of all kinds. */
export const recordRoots = ["queue", "records"] as const;

export function layoutsOf(
  layouts: readonly FileLayout[],
  { keepsNames }: { keepsNames: boolean },
): Layouts {
  const foldersOf = (statesOf: (layout: FileLayout) => readonly (string | undefined)[]) =>
    layouts.flatMap((layout) =>
      statesOf(layout).flatMap((state) => (state === undefined ? [] : `${layout.folder}/${state}`)),
    );
  return {
    byKind: new Map(layouts.map((layout) => [layout.kind.name, layout])),
    byFolder: new Map(layouts.map((layout) => [layout.folder, layout])),
    folders: foldersOf(({ stateFolders = [] }) => stateFolders),
    sharedFolders: foldersOf(({ dropFolder, worker }) => [dropFolder, worker?.claimFolder]),
    resultFolders: [...new Set(layouts.flatMap(({ worker }) => worker?.resultFolder ?? []))],
    nameOf: keepsNames ? wholeName : fileName,
  };
}

/** The layout of the kind whose folder a path is in. */
export function layoutAt({ byFolder }: Layouts, path: string): FileLayout | undefined {
  return byFolder.get(path.split("/").slice(0, 2).join("/"));
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
  return dirname(path) === `${folder}/${state}`;
}

export function workerFilesOf({ byKind }: Layouts, kind: string): WorkerFiles | undefined {
  return byKind.get(kind)?.worker;
}

type Located = Pick<AnyRecord, "kind" | "id" | "state"> & { readonly lease: object | null };

/**
 * The path of a record's file. A lease is not a state, but people look for running work: under a lease, lapsed or
 * not, a record is in `in_progress`, unless its layout names another folder.
 */
export function pathOf(layouts: Layouts, { kind, id, state, lease }: Located): string {
  const layout = layouts.byKind.get(kind);
  const folder = layout?.folder ?? `records/${fileName(kind)}s`;
  const stateFolder =
    layout?.stateFolder?.(state, lease !== null) ?? (lease ? "in_progress" : fileName(state));
  return `${folder}/${stateFolder}/${layouts.nameOf(id)}.json`;
}

/** The fields of a record's file for people and programs. */
export function viewOf({ byKind }: Layouts, record: AnyRecord): FileView {
  const { id, kind, state, priority, createdAt, body, outcome } = record;
  const created_at = isoMsOf(createdAt);
  const plain = { id, kind, priority, created_at, status: state, body, outcome };
  return byKind.get(kind)?.view?.(record) ?? plain;
}

export function resultPath(layouts: Layouts, { resultFolder }: WorkerFiles, id: string): string {
  return `${resultFolder}/${layouts.nameOf(id)}.json`;
}

/** The file that a worker touches to keep its lease. */
export function heartbeatPath(layouts: Layouts, { resultFolder }: WorkerFiles, id: string): string {
  return `${resultFolder}/${layouts.nameOf(id)}-heartbeat`;
}

/** Whether a file has the name of this id, here or on a disk that keeps names otherwise. */
export function isNameOf(name: string, id: string): boolean {
  return [wholeName(id), fileName(id)].some((each) => name === `${each}.json`);
}

const safe = /^[a-z0-9-][a-z0-9_-]{0,63}$/;
/** Names that are devices on Windows, whatever follows the dot. */
const device = /^(con|prn|aux|nul|com\d|lpt\d)$/;

const whole = /^[A-Za-z0-9][A-Za-z0-9._:@+=,~-]{0,199}$/;
const hashed = /~[0-9a-f]{24}$/;

/** Where capitals are kept apart and a colon is a character, the usual ids are names as they are. */
function wholeName(id: string): string {
  return whole.test(id) && !hashed.test(id) ? id : fileName(id);
}

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
