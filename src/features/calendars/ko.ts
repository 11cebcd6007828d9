import type { Texts } from "./en.ts";

const grants: Readonly<Record<string, string>> = {
  "https://www.googleapis.com/auth/calendar.events": "캘린더 항목 보기와 바꾸기",
  "https://www.googleapis.com/auth/calendar.calendarlist.readonly": "캘린더 목록 보기",
};

export const ko: Texts = {
  none: "장부를 보여 주는 캘린더가 없습니다.\n캘린더 앱에서 구독할 주소 만들기: daybook calendar create ics",
  created: ({ id, name, url, kind }) =>
    url === null
      ? `캘린더 “${name}”(${kind})을 채우고 있습니다.\n${id}`
      : `캘린더 앱에서 “${name}”(${kind}) 주소를 구독하세요. 주소는 지금만 보여 줍니다:\n${url}\n${id}`,
  connectPage: ({ url }) =>
    `이 컴퓨터의 브라우저에서 다음 페이지를 열고 접근을 허용하세요:\n${url}`,
  connected: ({ place, renewed, granted, id }) =>
    [
      renewed
        ? `캘린더 ${place}에 새로 로그인했습니다.`
        : `캘린더 ${place}에 연결했습니다. 항목을 채우고 있습니다.`,
      `허용한 것: ${granted.map((scope) => grants[scope] ?? scope).join(", ")}.`,
      id,
    ].join("\n"),
  shows: ({ shows, edits, busy }) =>
    [
      `보여 주는 것: ${shows}.`,
      ...(edits ? ["캘린더에서 바꾸면 장부도 바뀝니다."] : []),
      ...(busy ? ["급하지 않은 알림은 회의가 끝날 때까지 기다립니다."] : []),
    ].join(" "),
  synced: ({ created, updated, deleted, unchanged, failed }) =>
    `만듦 ${created}, 고침 ${updated}, 지움 ${deleted}, 그대로 ${unchanged}, 실패 ${failed}`,
  confirmed: ({ name, removals }) =>
    `${removals}개를 지우도록 확인했습니다. 캘린더 “${name}”에서 이제 지웁니다.`,
  deleted: ({ name, isLeaving }) =>
    isLeaving
      ? `캘린더 “${name}”에서 항목을 지우고 있습니다. 다 지우면 캘린더가 삭제됩니다.`
      : `캘린더 “${name}”을 삭제했습니다.`,
  plan: ({ changes, unchanged, brake, id }) =>
    [
      ...changes.map(
        ({ do: what, why, title, record }) => `${what} (${why})  ${title ?? ""}  ${record ?? ""}`,
      ),
      `바꿀 것 ${changes.length}개, 그대로 ${unchanged}개.`,
      ...(brake === null
        ? []
        : [`멈춰 있습니다. ${brake.removals}개를 지우려면 daybook calendar confirm ${id}`]),
    ].join("\n"),
  notices: {
    heading: ({ name }) => `캘린더 ${name}:`,
    brake: ({ id, removals, entries }) =>
      `끝난 것이 없는데 항목 ${entries}개 가운데 ${removals}개가 지워지려 하거나 그곳에서 지워졌습니다. 아무것도 하지 않고 멈췄습니다. 맞는 일이라면 daybook calendar confirm ${id}`,
    conflict: ({ title, seen, isRemoved }) =>
      isRemoved
        ? `“${title}”: 장부에서 바뀐 뒤에 그곳에서 지워졌습니다. 다시 적었습니다.`
        : `“${title}”: 그곳과 장부에서 함께 바뀌었습니다. 장부의 것을 남겼고, 그곳에는 “${seen}”이라고 적혀 있었습니다.`,
    refused: ({ title, reason }) => `“${title}”의 변경을 받아들이지 못했습니다: ${reason}`,
    unreachable: ({ id, reason }) =>
      `쓸 수 없습니다: ${reason} 다시 시도합니다. 상태를 보려면 daybook calendar show ${id}`,
    more: (count) => `… 그 밖에 ${count}개가 더 있습니다.`,
  },
};
