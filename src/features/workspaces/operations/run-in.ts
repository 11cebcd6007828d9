import type { Context } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import { inboxOf } from "../../notifications/routing.ts";
import { askedAt, workspacesOf } from "../ports.ts";
import { makeWorkspace } from "../request.ts";
import { isDeleted, liveNamed } from "./find-workspace.ts";

/** Something is to run in a workspace of this name: it is there, or can be made when it is needed. */
export async function checkRunIn(name: string, context: Context): Promise<void> {
  const { place, defaults } = workspacesOf(context);
  const { imageRef, ...set } = defaults(name);
  if (imageRef !== null) {
    const { owner } = context;
    const request = { owner, name, imageRef, ...set, target: inboxOf(owner), origin: null };
    // What could not be made when it is needed is told now.
    makeWorkspace({ ...request, desired: "RUNNING" }, place, askedAt(context));
    return;
  }
  const found = await liveNamed(bookOf(context), name);
  if (found !== undefined && !isDeleted(found)) return;
  const sentence = `There is no workspace ${quote(name)} in this book, and no image to make it from: daybook keep ${name} --image IMAGE`;
  throw new DaybookError("not_found", sentence, { details: { in: name } });
}
