/** The path under the one that all of ours have; a server around us may have taken that off already. */
export function pathUnder(basePath: string, path: string): string {
  if (basePath === "" || !`${path}/`.startsWith(`${basePath}/`)) return path;
  return path.slice(basePath.length) || "/";
}
