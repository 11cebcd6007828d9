import * as z from "zod";
import { isChannel } from "../../features/notifications/index.ts";
import { isTask } from "../../features/tasks/index.ts";
import { about } from "../../platform/settings/about.ts";
import { httpUrl, urlForm } from "../../platform/settings/forms.ts";
import { isTree, pathText, type Path } from "../../platform/settings/tree.ts";
import type { Layer } from "./layers.ts";
import { schema, store } from "./schema.ts";

/** Settings that mean the same in the file and to a program that opens a book. */
const data = {
  store,
  ...schema.pick({
    timezone: true,
    language: true,
    leaseSeconds: true,
    keepDays: true,
    owners: true,
    schedules: true,
    handlers: true,
    home: true,
    machines: true,
    docker: true,
    archives: true,
    s3: true,
    workspaces: true,
    keep: true,
    curves: true,
  }).shape,
};

const aFunction = z.custom((value) => typeof value === "function").exactOptional();

/** What only a program can give. */
const code = {
  channels: z.array(z.custom(isChannel)).exactOptional().register(about, {
    summary: "How things are said.",
    write: "a list of channels, each with a name and a function send",
  }),
  tasks: z.array(z.custom(isTask)).exactOptional().register(about, {
    summary: "Functions that are run by name.",
    write: "a list of what task({ name, input, run }) made",
  }),
  auth: aFunction.clone().register(about, {
    summary: "Who asks over HTTP.",
    write: "a function of a request",
  }),
  basePath: z
    .string()
    .regex(/^(\/[\w.~-]+)+\/?$/)
    .exactOptional()
    .register(about, {
      summary: "What every path begins with.",
      write: "a path like /daybook",
    }),
  publicUrl: httpUrl.exactOptional().register(about, {
    summary: "Where others reach it.",
    write: urlForm,
  }),
  controllers: z.boolean().exactOptional().register(about, {
    summary: "Whether anything is done here, or only asked.",
    write: "true or false",
  }),
  onError: aFunction.clone().register(about, {
    summary: "Hears of what goes wrong.",
    write: "a function of what went wrong and its facts",
  }),
  log: aFunction.clone().register(about, {
    summary: "Gets log lines.",
    write: "a function of a line",
  }),
};

/** Everything that `open` takes. */
export const openSchema = z.strictObject({ ...data, ...code });

/** The options as `open` got them, and those of them that the file could hold. */
export function optionLayers(options: unknown, from: string): { given: Layer; settings: Layer } {
  const all = options ?? {};
  const given = isTree(all) ? Object.entries(all).filter(([, value]) => value !== undefined) : [];
  const tree = isTree(all) ? Object.fromEntries(given) : all;
  const settings = Object.fromEntries(given.filter(([key]) => Object.hasOwn(data, key)));
  const layer = {
    from,
    isFile: false,
    place: () => "open()",
    name: (path: Path) => `open()  ${pathText(path) || "what it got"}`,
    typed: () => undefined,
  };
  return { given: { ...layer, tree }, settings: { ...layer, tree: settings } };
}
