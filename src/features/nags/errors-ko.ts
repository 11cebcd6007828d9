import type { Catalogue } from "../../platform/sentences.ts";

export const ko: Catalogue = {
  "Another request changed it at the same time: try again.":
    "다른 요청이 동시에 바꾸었습니다. 다시 시도하세요.",
  "being deleted": "삭제하는 중",
  "This nag is already {state}: create a new one.": "이미 끝난 재촉입니다({state}). 새로 만드세요.",
  "This nag is already {state} and cannot be {change}: create a new one.":
    "이미 끝난 재촉이라 바꿀 수 없습니다({state}). 새로 만드세요.",
  "A distance is a whole number of minutes, hours or days, from 1.":
    "간격은 1 이상의 정수로 된 분, 시간 또는 일이어야 합니다.",
  "The factor is {value}: use a number from 1 to {max}.":
    "쓸 수 없는 배수입니다: {value}. 1부터 {max}까지의 숫자를 쓰세요.",
  "The cap is over ten years: make it shorter.": "가장 긴 간격이 10년을 넘습니다. 줄이세요.",
  "The first distance is longer than the cap: make the cap longer.":
    "첫 간격이 가장 긴 간격보다 깁니다. 가장 긴 간격을 늘리세요.",
  "The jitter is {value}: use a share from 0 to 1.":
    "쓸 수 없는 무작위 비율입니다: {value}. 0부터 1까지의 값을 쓰세요.",
  "The limit of messages is {value}: use a whole number from 1.":
    "쓸 수 없는 알림 횟수 한도입니다: {value}. 1 이상의 정수를 쓰세요.",
  "It escalates after {value}: use a whole number from 1.":
    "다른 대상에도 알리기 시작할 횟수로 쓸 수 없습니다: {value}. 1 이상의 정수를 쓰세요.",
  "The sleep starts and ends at the same time: change one of them.":
    "쉬는 시간의 시작과 끝이 같습니다. 하나를 바꾸세요.",
  "The text is empty: give the text to send.": "내용이 비어 있습니다. 보낼 내용을 쓰세요.",
  "The text has {count} characters, over the limit of {max}: shorten it, or send a link.":
    "내용이 {count}자입니다. {max}자까지 보낼 수 있으니 줄이거나 링크를 보내세요.",
  '"at" is not a valid time: got {value}.': '"at" 값이 올바른 시각이 아닙니다: {value}.',
  "The curve's sleep and the quiet hours leave no time of day to send: shorten one of them.":
    "쉬는 시간과 조용한 시간을 빼면 알릴 시간이 없습니다. 하나를 줄이세요.",
  "Unknown curve {name}: {advice}": "없는 간격 이름입니다: {name}. {advice}",
  "choose one of {names}.": "다음 중 하나를 고르세요: {names}.",
  "A nag needs a message or a page: give one of them, not both.":
    "재촉에는 내용이나 페이지 중 하나를 쓰세요. 둘 다 쓸 수는 없습니다.",
  "There is no page {id} in this book: create it with daybook page put.":
    "이 장부에 페이지 {id:이/가} 없습니다. daybook page put으로 만드세요.",
  "Another request created the page at the same time: try again.":
    "다른 요청이 동시에 페이지를 만들었습니다. 다시 시도하세요.",
  "{id} is not a page id: use 1 to {max} printable characters, without spaces around them.":
    "페이지 id로 쓸 수 없습니다: {id}. 앞뒤에 띄어쓰기 없이 1자부터 {max}자까지로 쓰세요.",
  "The title has {count} characters, over the limit of {max}: shorten it.":
    "제목이 {count}자입니다. {max}자까지로 줄이세요.",
  "The body has {count} characters, over the limit of {max}: shorten it.":
    "본문이 {count}자입니다. {max}자까지로 줄이세요.",
  "The book of {owner} has {count} nags, which is the limit: finish or delete one first.":
    "{owner}의 장부에 재촉이 한도인 {count}개에 이르렀습니다. 먼저 하나를 완료하거나 삭제하세요.",
  "The book of {owner} has room for {left} more nags, not for {count}: finish or delete some first.":
    "{owner}의 장부에는 재촉을 {left}개까지만 더 만들 수 있는데 {count}개가 필요합니다. 먼저 몇 개를 완료하거나 삭제하세요.",
  'The id of the page "{page}" is not this one: export it again.':
    '페이지 "{page}"의 id가 아닙니다. 다시 내보내세요.',
};
