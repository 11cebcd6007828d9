import { resolve } from "node:path";

/**
 * Which programs may be run: `everything`, or patterns. A pattern with a slash is a path, from the
 * folder that commands run in unless it begins with one; others are names, as PATH finds them. `*`
 * stands for any part of a name, `**` for any path.
 */
export type Allow = "everything" | readonly string[];

/** The program as it is to be started, if it may be. `folder`: where commands run. */
export function allowedProgram(file: string, allow: Allow, folder: string): string | undefined {
  if (file === "" || file.includes("\0")) return undefined;
  // Resolved here: a run chooses where it stands, and must not choose by it which program it is.
  const program = placed(file, folder);
  if (allow === "everything") return program;
  return allow.some((pattern) => matches(program, placed(pattern, folder))) ? program : undefined;
}

function placed(file: string, folder: string): string {
  return file.includes("/") ? resolve(folder, file) : file;
}

function matches(program: string, pattern: string): boolean {
  const parts = pattern.split(/(\*+)/).map((part) => {
    if (part === "*") return "[^/]*";
    return part.startsWith("**") ? ".*" : RegExp.escape(part);
  });
  return new RegExp(`^${parts.join("")}$`, "s").test(program);
}
