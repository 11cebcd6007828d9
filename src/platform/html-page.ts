import { createHash } from "node:crypto";
import type { Language } from "./language.ts";
import { harmless } from "./text.ts";

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:3rem auto;padding:0 1rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{background:#111;color:#eee}}`;

/** The preferred language of the browser, of those we have. */
export function browserLanguage(request: Request): Language {
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

const results = {
  en: { done: "Done", failed: "That did not work", close: "You can close this page." },
  ko: {
    done: "끝났습니다",
    failed: "되지 않았습니다",
    close: "이 페이지는 닫아도 됩니다.",
  },
} as const satisfies Readonly<Record<Language, unknown>>;

/** What came of something that a person began elsewhere and finished in a browser. */
export function resultPage(
  language: Language,
  { status, text }: { readonly status: number; readonly text: string },
): Response {
  const { done, failed, close } = results[language];
  const isDone = status === 200;
  const lines = text.split("\n").map((line) => `<p>${escapeHtml(line)}</p>`);
  const heading = `<h2>${isDone ? done : failed}</h2>`;
  return htmlPage(language, status, [heading, ...lines, ...(isDone ? [`<p>${close}</p>`] : [])]);
}

/** A page of ours: a heading, and parts in HTML. It loads and runs nothing. */
export function htmlPage(language: Language, status: number, parts: readonly string[]): Response {
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

export function escapeHtml(text: string): string {
  return harmless(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
