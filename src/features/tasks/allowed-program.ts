import { resolve } from "node:path";

/**
 * The programs that may run: `everything`, or patterns. A pattern with a slash is a path, relative to the folder that
 * commands run in; any other is a name that PATH resolves. `*` matches any part of a name, `**` any path.
 */
export type Allow = "everything" | readonly string[];

/** The program to start, if it is allowed. `folder`: where commands run. */
export function allowedProgram(file: string, allow: Allow, folder: string): string | undefined {
  if (file === "" || file.includes("\0")) return undefined;
  // A run may choose its working folder, and must not choose another program by that.
  const program = located(file, folder);
  if (allow === "everything") return program;
  return allow.some((pattern) => matches(program, located(pattern, folder))) ? program : undefined;
}

function located(file: string, folder: string): string {
  return file.includes("/") ? resolve(folder, file) : file;
}

function matches(program: string, pattern: string): boolean {
  const parts = pattern.split(/(\*+)/).map((part) => {
    if (part === "*") return "[^/]*";
    return part.startsWith("**") ? ".*" : RegExp.escape(part);
  });
  return new RegExp(`^${parts.join("")}$`, "s").test(program);
}
