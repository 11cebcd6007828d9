import { callOperation } from "../../kernel/call.ts";
import type { RouteCall, RouteContext, Route } from "../../kernel/route.ts";
import { DaybookError } from "../../platform/errors.ts";
import { browserLanguage, resultPage } from "../../platform/html-page.ts";
import { wrongMethod } from "../../platform/http-error.ts";
import type { Language } from "../../platform/language.ts";
import { translator } from "../../platform/sentences.ts";
import { pendingAt } from "./connection.ts";
import { callbackPath, finishCalendar } from "./operations/connect.ts";

/** Where a browser comes back to from Google. The state in the address, which we sealed, authorizes it. */
export function connectRoute(context: RouteContext): Route {
  return {
    methods: ["GET"],
    path: callbackPath,
    auth: "own",
    handle: (call) => finish(context, call),
  };
}

async function finish(
  context: RouteContext,
  { request, countFailure }: RouteCall,
): Promise<Response> {
  // A HEAD request must not use up the code.
  if (request.method !== "GET") throw wrongMethod("GET");
  const language = browserLanguage(request);
  const address = request.url;
  try {
    const { owner, by, scopes } = pendingAt(address, context);
    const caller = { owner, by, scopes, origin: null, language };
    const { output, reader } = await callOperation(context, finishCalendar, { address }, caller);
    const text = finishCalendar.render(finishCalendar.output.parse(output), reader);
    return resultPage(language, { status: 200, text });
  } catch (error) {
    if (!(error instanceof DaybookError) || error.code === "bug") throw error;
    // Of all that can be wrong, only the state can be guessed.
    if (error.details["isState"] === true) countFailure();
    const status = error.code === "unavailable" ? 502 : 400;
    return resultPage(language, { status, text: await sentenceOf(error, language) });
  }
}

async function sentenceOf({ message }: DaybookError, language: Language): Promise<string> {
  if (language === "en") return message;
  return translator([(await import("./errors-ko.ts")).ko])(message);
}
