/** Where the archive of one operation is kept. */
export function archiveKeyOf(workspaceId: string, opId: string): string {
  return `${unitPrefix(workspaceId, opId)}home.tar.zst`;
}

/** An archive and what is written beside it are one unit: what begins so is kept or removed as a whole. */
export function unitPrefix(workspaceId: string, opId: string): string {
  return `archives/${workspaceId}/${opId}/`;
}
