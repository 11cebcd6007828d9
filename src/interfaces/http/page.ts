import { createHash } from "node:crypto";
import { callOperation } from "../../kernel/call.ts";
import type { Installation, Caller, Operation } from "../../kernel/operation.ts";
import { messageOf } from "../../platform/errors.ts";
import type { Language } from "../../platform/language.ts";
import { harmless } from "../../platform/text.ts";
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

/** The preferred language of the browser, of those we have. */
export function languageOf(request: Request): Language {
  const accepted = (request.headers.get("accept-language") ?? "").split(",").map((part) => {
    const [tag = "", ...rest] = part.trim().toLowerCase().split(";");
    const quality = rest.map((each) => /^\s*q=([\d.]+)$/.exec(each)?.[1]).find(Boolean);
    return { tag: tag.slice(0, 2), quality: Number(quality ?? 1) };
  });
  const best = accepted
    .filter(({ tag, quality }) => (tag === "ko" || tag === "en") && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)[0];
  return best?.tag === "ko" ? "ko" : "en";
}

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
    parts.push(`<h2>${sections[command]}</h2>\n<pre>${escape(text)}</pre>`);
  }
  return page(language, 200, [`<p>${hello}</p>`, ...(parts.length > 0 ? parts : [nothing])]);
}

/** How to sign in, and why: there is no session, or the link is no longer valid. */
export function signInPage(why: "gone" | "signIn", language: Language): Response {
  return page(language, 401, [`<p>${texts[language][why]}</p>\n<pre>daybook login</pre>`]);
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

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:3rem auto;padding:0 1rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{background:#111;color:#eee}}`;

function page(language: Language, status: number, parts: readonly string[]): Response {
  const html = `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Daybook</title><style>${style}</style></head>
<body><h1>Daybook</h1>
${parts.join("\n")}
</body></html>
`;
  const hash = createHash("sha256").update(style).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'`;
  return new Response(html, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-language": language,
      "content-security-policy": policy,
    },
  });
}

function escape(text: string): string {
  return harmless(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
