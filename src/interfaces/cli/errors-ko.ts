import type { Catalogue } from "../../platform/sentences.ts";

export const ko: Catalogue = {
  "There is no command {name}: {advice}": "없는 명령입니다: {name}. {advice}",
  "see daybook help.": "명령 목록 보기: daybook help",
  "There is no command {name}: write one of {commands}.":
    "없는 명령입니다: {name}. 다음 중 하나를 쓰세요: {commands}.",
  "did you mean {word}?": "혹시 {word} 아닌가요?",
  "did you mean {noun} {verb}?": "혹시 {noun} {verb} 아닌가요?",
  "did you mean --{name}?": "혹시 --{name} 아닌가요?",
  "Write a verb after {noun}: {verbs}.": "{noun} 뒤에 동사를 쓰세요: {verbs}.",
  "the verbs of {noun} are {verbs}.": "{noun}에 쓸 수 있는 동사: {verbs}.",
  "Write the command before {word}: see daybook help.":
    "명령을 {word}보다 먼저 쓰세요. 명령 목록 보기: daybook help",

  "There is no flag {name}: {advice}": "없는 옵션입니다: {name}. {advice}",
  "the flags of {command} are {flags}.": "{command}에 쓸 수 있는 옵션: {flags}.",
  "There is no flag {word}: put -- before it if it is a text.":
    "없는 옵션입니다: {word}. 내용이라면 앞에 --를 쓰세요.",
  "--{name} takes no value: leave out {value}.":
    "--{name} 옵션에는 값을 쓰지 않습니다. {value} 부분을 빼세요.",
  "{name} is given twice: give it once.": "{name} 값이 두 번 있습니다. 한 번만 쓰세요.",
  "--{name} needs a value after it.": "--{name} 뒤에 값을 쓰세요.",
  "--{name} needs a value, and {value} is like a flag: write {written}.":
    "--{name} 뒤에 값을 쓰세요. 옵션처럼 보이는 값입니다: {value}. 값이라면 이렇게 쓰세요: {written}.",
  '{text} is not JSON: write {flag} \'{"name": "value"}\'.':
    'JSON이 아닙니다: {text}. {flag} \'{"name": "value"}\'처럼 쓰세요.',
  "There is one word too many, {word}: {advice}": "단어가 하나 더 있습니다: {word}. {advice}",
  "put texts with spaces in quotes{rest}.": "띄어쓰기가 있는 내용은 따옴표로 묶으세요{rest}.",
  "put texts with spaces in quotes{rest}, or write a verb after {noun}: {verbs}.":
    "띄어쓰기가 있는 내용은 따옴표로 묶으세요{rest}. 또는 {noun} 뒤에 동사를 쓰세요: {verbs}.",
  ", and put {dashes} before the {name}": ". 실행할 명령({name}) 앞에는 {dashes}를 쓰세요",

  "The input": "입력",
  "The file {path}": "파일 {path}",
  "{source} is not JSON: give {name} as JSON.":
    "{source:이/가} JSON이 아닙니다. {name} 값을 JSON으로 쓰세요.",
  "The input is not JSON: send a JSON list of rows.":
    "입력이 JSON이 아닙니다. 행의 목록을 JSON으로 보내세요.",
  "The input is over {max} bytes: send less.": "입력이 {max}바이트를 넘습니다. 줄여서 보내세요.",
  "The input is not text: send it in UTF-8.": "입력이 텍스트가 아닙니다. UTF-8로 보내세요.",
  "{path} cannot be read: {problem}.": "파일을 읽을 수 없습니다: {path} ({problem}).",

  "No daemon runs here: start one with daybook start.":
    "데몬이 실행되고 있지 않습니다. daybook start로 시작하세요.",
  "The daemon at {url} refused the connection: check that it runs (daybook status), and that the token in {file} is valid.":
    "데몬({url})이 연결을 거절했습니다. 실행 중인지(daybook status), {file}의 토큰이 올바른지 확인하세요.",
  "The output cannot be written: {problem}. Messages that were not shown are sent again.":
    "출력할 수 없습니다: {problem}. 화면에 나오지 못한 알림은 다시 보냅니다.",
  "The daemon ended this session: its token may not listen any more.":
    "데몬이 이 세션을 끝냈습니다. 이 토큰으로는 더 이상 받을 수 없습니다.",
  "The daemon at {url} did not answer, so the result is unknown: check the record, or repeat the request with a key.":
    "데몬({url})이 응답하지 않아 결과를 알 수 없습니다. 기록을 확인하거나 키를 붙여 다시 요청하세요.",
  "The program at {url} is not Daybook: stop it, or start the daemon on another port. It answered: {text}":
    "{url} 주소의 프로그램은 Daybook이 아닙니다. 그 프로그램을 멈추거나 데몬을 다른 포트에서 시작하세요. 받은 응답: {text}",
  "The program at {url} refused the request without a reason: check that it is Daybook.":
    "{url} 주소의 프로그램이 이유 없이 요청을 거절했습니다. Daybook인지 확인하세요.",
  "The daemon at {url} does not know the token in {file}: delete that file and start the daemon again, or put a valid token into it.":
    "데몬({url})이 {file}의 토큰을 모릅니다. 그 파일을 지우고 데몬을 다시 시작하거나, 올바른 토큰을 넣으세요.",

  "The command is missing: write it after --, as in daybook wrap --watch backup -- ./backup.sh":
    "실행할 명령이 없습니다. -- 뒤에 쓰세요. 예: daybook wrap --watch backup -- ./backup.sh",
  "Give either --watch NAME or --ping URL, to which the run is reported.":
    "결과를 보고할 곳을 --watch 이름 또는 --ping URL 중 하나로 쓰세요.",
  "Nothing here runs the command {name}.": "여기서는 실행할 수 없는 명령입니다: {name}.",
  "Nobody has allowed the access in a browser: run daybook calendar connect google again.":
    "브라우저에서 아무도 접근을 허용하지 않았습니다. daybook calendar connect 명령(google)을 다시 실행하세요.",
  "There is no operation {name}.": "{name} 요청은 없습니다.",
  "There is no terminal to ask at, so nothing was cancelled: add --yes to cancel {count}.":
    "물어볼 터미널이 없어 아무것도 취소하지 않았습니다. {count}건을 취소하려면 --yes를 붙이세요.",
  "An exported book has the targets of its messages: leave out --target.":
    "내보낸 장부에는 알림의 대상이 들어 있습니다. --target을 빼세요.",
  "Of the rows after the first {count}:": "앞의 {count}행 다음부터:",
  "Name the file to import: daybook import FILE.": "가져올 파일을 쓰세요: daybook import 파일",
};
