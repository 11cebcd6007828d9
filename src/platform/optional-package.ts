import { DaybookError } from "./errors.ts";

/** Loads an optional package; the error says what to install. */
export async function loadPackage<T>(
  /** The beginning of the error: "Slack needs". */
  needs: string,
  name: string,
  load: () => Promise<T>,
  {
    install = name,
    ...more
  }: { install?: string; details?: Readonly<Record<string, unknown>> } = {},
): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const sentence = `${needs} the package ${name}, and it is not there: npm install ${install}.`;
    throw new DaybookError("unsupported", sentence, { cause, ...more });
  }
}

/** Whether a package is not installed. It is not loaded. */
export function isMissing(name: string): boolean {
  try {
    import.meta.resolve(name);
    return false;
  } catch {
    return true;
  }
}
