import { hookEvent } from "../../adapters/sources/hook-event.ts";
import { verifyFault } from "../../adapters/sources/webhook.ts";
import type { EventHook } from "../../features/events/index.ts";
import type { Config } from "../config/config.ts";
import { localCaller } from "../local-caller.ts";

/** The hook of a name under these settings. */
export function eventHookFrom(hooks: Config["hooks"], name: string): EventHook | undefined {
  const hook = hooks.find((each) => each.name === name);
  if (hook === undefined) return undefined;
  return {
    ...hook,
    home: localCaller.owner,
    read(post) {
      const refused = verifyFault(hook, post);
      return refused === undefined ? { event: hookEvent(hook, post, post.randomId) } : { refused };
    },
  };
}
