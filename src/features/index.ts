import { operationsOf, type Feature, type OperationsOf } from "../kernel/feature.ts";
import type { FileLayout } from "../kernel/files.ts";
import type { Kind } from "../kernel/kind.ts";
import type { Operation } from "../kernel/operation.ts";
import { accounts } from "./accounts/index.ts";
import { bookOf } from "./book/index.ts";
import { calendars } from "./calendars/index.ts";
import { events } from "./events/index.ts";
import { nags } from "./nags/index.ts";
import { nodes } from "./nodes/index.ts";
import { notifications } from "./notifications/index.ts";
import { schedules } from "./schedules/index.ts";
import { tasks } from "./tasks/index.ts";
import { workspaces } from "./workspaces/index.ts";

/** The features, each after those that it builds on. */
const domain = [
  nodes,
  accounts,
  notifications,
  nags,
  tasks,
  schedules,
  events,
  workspaces,
  calendars,
] as const;

export const features = [...domain, bookOf(domain)] as const;

/** Every operation by its name in the library. Its type is named, so that its declaration does not repeat all of them. */
export const operations: OperationsOf<typeof features> = operationsOf(features);

/** The same without their own types: an operation checks its input by its schema. */
export const table: readonly Operation[] = Object.values(operations);

const all: readonly Feature[] = features;

/** Every kind of record. */
export const kinds: readonly Kind[] = all.flatMap((each) => each.kinds);

export const fileLayouts: readonly FileLayout[] = all.flatMap(
  ({ fileLayouts: layouts = [] }) => layouts,
);
