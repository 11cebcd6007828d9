import type { Language } from "../../platform/language.ts";
import type { FaultReason } from "../workspaces/fault.ts";
import type { WorkspaceOperation } from "../workspaces/kind.ts";

interface Failed {
  readonly name: string;
  readonly owner: string;
  readonly operation: WorkspaceOperation | null;
  readonly reason: FaultReason;
  readonly message: string;
}

/** What is said of workspaces without anybody having asked. */
interface WorkspaceNoticeTexts {
  /** To its owner: it is in ERROR. */
  failed(about: Failed): string;
  /** To who looks after the machines: whose it is. */
  failedOf(about: Failed): string;
}

const en: WorkspaceNoticeTexts = {
  failed: (about) =>
    `⛔ The workspace '${about.name}' is in ERROR${during(about)} (${about.reason}): ${about.message} When that is mended: daybook recover ${typed(about.name)}`,
  failedOf: (about) =>
    `⛔ The workspace '${about.name}' of ${about.owner} is in ERROR${during(about)} (${about.reason}): ${about.message}`,
};

/** As it is typed at a command line. */
function typed(name: string): string {
  return /\s/.test(name) ? `"${name}"` : name;
}

function during({ operation }: Failed): string {
  return operation === null ? "" : ` while ${operation}`;
}

const ko: WorkspaceNoticeTexts = {
  failed: (about) =>
    `⛔ 작업 공간 '${about.name}'이(가) ERROR 상태입니다${inCourse(about)} (${about.reason}): ${about.message} 해결한 뒤에는: daybook recover ${typed(about.name)}`,
  failedOf: (about) =>
    `⛔ ${about.owner}의 작업 공간 '${about.name}'이(가) ERROR 상태입니다${inCourse(about)} (${about.reason}): ${about.message}`,
};

function inCourse({ operation }: Failed): string {
  return operation === null ? "" : `, ${operation} 중`;
}

export function workspaceNoticesIn(language: Language): WorkspaceNoticeTexts {
  return language === "ko" ? ko : en;
}
