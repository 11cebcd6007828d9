import { bookOf } from "../features/book/index.ts";
import { events } from "../features/events/index.ts";
import { nags } from "../features/nags/index.ts";
import { notifications } from "../features/notifications/index.ts";
import { schedules } from "../features/schedules/index.ts";
import { tasks } from "../features/tasks/index.ts";
import { workspaces } from "../features/workspaces/index.ts";

const kinds = [notifications, nags, tasks, schedules, events, workspaces] as const;

/** The only list of features. */
export const features = [...kinds, bookOf(kinds)] as const;
