import { callOperation } from "../../kernel/call.ts";
import type { Installation, Caller, Operation } from "../../kernel/operation.ts";
import { messageOf } from "../../platform/errors.ts";
import { escapeHtml, htmlPage } from "../../platform/html-page.ts";
import type { Language } from "../../platform/language.ts";
import { hasInput } from "./route.ts";

const texts = {
  en: {
    hello: "You are signed in.",
    nothing: "Nothing can be shown with these rights.",
    gone: "This link was used already or is too old. For a new one run this where Daybook runs, and open what it prints:",
    signIn: "You are not signed in. Run this where Daybook runs, and open the link that it prints:",
    sections: { next: "What comes next", list: "What waits" },
  },
  ko: {
    hello: "로그인했습니다.",
    nothing: "이 권한으로 볼 수 있는 것이 없습니다.",
    gone: "이미 쓴 링크이거나 너무 오래된 링크입니다. Daybook이 실행 중인 컴퓨터에서 다음 명령을 실행하고, 새로 나온 링크를 여세요:",
    signIn:
      "로그인하지 않았습니다. Daybook이 실행 중인 컴퓨터에서 다음 명령을 실행하고, 나온 링크를 여세요:",
    sections: { next: "예정된 일", list: "대기 중인 알림" },
  },
} as const satisfies Readonly<Record<Language, unknown>>;

/** The commands whose answers the page shows. */
const commands = ["next", "list"] as const;
const linesMax = 20;

/** The page with upcoming and waiting records. */
export async function homePage(
  { installation, operations }: { installation: Installation; operations: readonly Operation[] },
  caller: Caller,
  language: Language,
): Promise<Response> {
  const { hello, nothing, sections } = texts[language];
  const parts: string[] = [];
  for (const command of commands) {
    const operation = operations.find((each) => each.command.name === command);
    if (operation?.effect !== "none") continue;
    const text = await rendered(installation, operation, caller, language);
    parts.push(`<h2>${sections[command]}</h2>\n<pre>${escapeHtml(text)}</pre>`);
  }
  return htmlPage(language, 200, [`<p>${hello}</p>`, ...(parts.length > 0 ? parts : [nothing])]);
}

/** How to sign in, and why: there is no session, or the link is no longer valid. */
export function signInPage(why: "gone" | "signIn", language: Language): Response {
  return htmlPage(language, 401, [`<p>${texts[language][why]}</p>\n<pre>daybook login</pre>`]);
}

async function rendered(
  installation: Installation,
  operation: Operation,
  caller: Caller,
  language: Language,
): Promise<string> {
  try {
    const input = hasInput(operation, "limit") ? { limit: linesMax } : {};
    const { output, reader } = await callOperation(installation, operation, input, caller);
    return operation.render(output, { ...reader, language });
  } catch (error) {
    return messageOf(error); // a failed section leaves the other
  }
}
