import type { Texts } from "./en.ts";

export const ko: Texts = {
  notices: {
    heading: ({ name }) => `캘린더 ${name}:`,
    brake: ({ id, removals, entries }) =>
      `끝난 것이 없는데 일정 ${entries}개 가운데 ${removals}개가 지워지려 하거나 그곳에서 지워졌습니다. 아무것도 하지 않고 멈췄습니다. 맞는 일이라면 daybook calendar confirm ${id}`,
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
