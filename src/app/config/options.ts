import * as z from "zod";
import { isChannel } from "../../features/notifications/index.ts";
import { isTask } from "../../features/tasks/index.ts";
import { about } from "../../platform/settings/about.ts";
import { httpUrl, urlForm } from "../../platform/settings/forms.ts";
import { isTree, pathText, type Path } from "../../platform/settings/tree.ts";
import type { Layer } from "./layers.ts";
import { schema, store } from "./schema.ts";

/** Settings that `open` takes as the file does. */
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

const functionOption = z.custom((value) => typeof value === "function").exactOptional();

/** Options that only a program can give. */
const code = {
  channels: z.array(z.custom(isChannel)).exactOptional().register(about, {
    summary: "The channels that messages are sent by.",
    write: "a list of channels, each with a name and a function send",
  }),
  tasks: z.array(z.custom(isTask)).exactOptional().register(about, {
    summary: "Functions that run by name.",
    write: "a list of results of task({ name, input, run })",
  }),
  auth: functionOption.clone().register(about, {
    summary: "Identifies the caller of an HTTP request.",
    write: "a function of a request",
  }),
  basePath: z
    .string()
    .regex(/^(\/[\w.~-]+)+\/?$/)
    .exactOptional()
    .register(about, {
      summary: "The prefix of every path.",
      write: "a path like /daybook",
    }),
  publicUrl: httpUrl.exactOptional().register(about, {
    summary: "The URL under which others reach it.",
    write: urlForm,
  }),
  controllers: z.boolean().exactOptional().register(about, {
    summary: "Whether this process does the work, or only makes requests. Default: true.",
    write: "true or false",
  }),
  onError: functionOption.clone().register(about, {
    summary: "Called with each error.",
    write: "a function of the event's name and its facts",
  }),
  log: functionOption.clone().register(about, {
    summary: "Called with each log line.",
    write: "a function of a line",
  }),
};

/** All options of `open`. */
export const openSchema = z.strictObject({ ...data, ...code });

/** The options of `open`, and those of them that are settings of the file too. */
export function optionLayers(options: unknown, from: string): { given: Layer; settings: Layer } {
  const all = options ?? {};
  const given = isTree(all) ? Object.entries(all).filter(([, value]) => value !== undefined) : [];
  const tree = isTree(all) ? Object.fromEntries(given) : all;
  const settings = Object.fromEntries(given.filter(([key]) => Object.hasOwn(data, key)));
  const layer = {
    from,
    isFile: false,
    place: () => "open()",
    name: (path: Path) => `open()  ${pathText(path) || "the options object"}`,
    typed: () => undefined,
  };
  return { given: { ...layer, tree }, settings: { ...layer, tree: settings } };
}
