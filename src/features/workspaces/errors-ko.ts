import type { Catalogue } from "../../platform/sentences.ts";

export const ko: Catalogue = {
  "{name} is not a workspace name: start with a letter or a digit, then use these, spaces and . _ - (100 at most).":
    "작업 공간 이름으로 쓸 수 없습니다: {name}. 글자나 숫자로 시작하고 글자, 숫자, 띄어쓰기, . _ - 만 쓰세요(최대 100자).",
  "The {what} has {count} characters: shorten it to {max}.":
    "너무 긴 값이 있습니다: {what}({count}자). {max}자로 줄이세요.",
  "{image} is not an image: write it like node:24, or with a digest like node@sha256:….":
    "이미지 이름이 아닙니다: {image}. node:24 또는 node@sha256:…처럼 쓰세요.",
  '"{name}" must be a number from {min} to {max}, not {value}.':
    '"{name}" 값은 {min}부터 {max}까지의 숫자여야 합니다. 받은 값: {value}.',
  "The workspace is {state}, not in ERROR: there is nothing to recover.":
    "ERROR 상태가 아니어서 복구할 것이 없습니다({state}).",
  "The workspace is in revision {revision}, not {given}: read it again.":
    "그사이 작업 공간이 바뀌었습니다(지금 리비전 {revision}, 받은 값 {given}). 다시 읽으세요.",
  "The archives cannot be reached from here: run this where the daemon runs.":
    "여기서는 보관 파일에 접근할 수 없습니다. 데몬이 실행되는 곳에서 실행하세요.",
  "No image is set for {name}: name one with daybook workspace create {same} --image IMAGE, or set workspaces.image in daybook.yaml.":
    "{name}의 이미지가 정해지지 않았습니다. daybook workspace create {same} --image 이미지로 정하거나 daybook.yaml의 workspaces.image를 설정하세요.",
  "The workspace {id} that this key created was deleted: choose another key.":
    "이 키로 만든 작업 공간은 삭제되었습니다: {id}. 다른 키를 쓰세요.",
  "The workspace {name} is being deleted: create it again when that is done.":
    "작업 공간을 삭제하는 중입니다: {name}. 끝난 뒤에 다시 만드세요.",
  "There is already a workspace {name}, with another {what}: choose another name, or change that one with daybook workspace edit.":
    "같은 이름의 작업 공간이 다른 설정으로 이미 있습니다: {name}({what}). 다른 이름을 쓰거나 daybook workspace edit로 바꾸세요.",
  "The workspace {name} was deleted: create another one with daybook workspace create.":
    "삭제된 작업 공간입니다: {name}. daybook workspace create로 새로 만드세요.",
  "{value} is not a whole number of seconds: round it.":
    "초 단위의 정수가 아닙니다: {value}. 반올림해 쓰세요.",
  "There is already a workspace {name}: choose another name.":
    "같은 이름의 작업 공간이 이미 있습니다: {name}. 다른 이름을 쓰세요.",
  "Only {max} workspaces {whose} may run at once, and that many run or start: {advice}.":
    "{whose} 동시에 실행할 수 있는 작업 공간은 {max}개인데, 모두 실행 중이거나 시작하는 중입니다. {advice}.",
  "of yours": "한 사람이",
  "in all": "전체에서",
  "wait until one sleeps": "하나가 절전 상태가 될 때까지 기다리세요",
  "archive one first (daybook workspace archive): {names}":
    "먼저 하나를 보관하세요(daybook workspace archive): {names}",
  "There is no workspace {name} in this book, and no image to make it from: {choice}create it with daybook workspace create {same} --image IMAGE":
    "이 장부에 작업 공간 {name:이/가} 없고, 만들 이미지도 정해지지 않았습니다. {choice}daybook workspace create {same} --image 이미지로 만드세요",
  "use {names}, or ": "{names} 중에서 고르거나 ",
};
