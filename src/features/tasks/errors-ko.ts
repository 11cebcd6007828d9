import type { Catalogue } from "../../platform/sentences.ts";

export const ko: Catalogue = {
  "start with a letter, then use letters, digits and . : _ -":
    "글자로 시작하고 영문자, 숫자, . : _ - 만 쓰세요",
  "{name} is not a task name: {advice} (100 at most).":
    "작업 이름으로 쓸 수 없습니다: {name}. {advice}(최대 100자).",
  "The input must be plain JSON.": "입력은 일반 JSON이어야 합니다.",
  "The input has {bytes} bytes, over {max}: store it elsewhere and pass a link.":
    "입력이 {bytes}바이트로 한도 {max}바이트를 넘습니다. 다른 곳에 두고 링크를 넘기세요.",
  '"{name}" must be a whole number from 1 to {max}, not {value}.':
    '"{name}" 값은 1부터 {max}까지의 정수여야 합니다. 받은 값: {value}.',
  "The run asks nothing: it is {state}. Only a run that is needs_human takes an answer.":
    "답을 기다리지 않는 실행입니다({state}). needs_human 상태의 실행에만 답할 수 있습니다.",
  "{answer} is none of the choices: answer {choices}.":
    "고를 수 없는 답입니다: {answer}. 다음 중에서 답하세요: {choices}.",
  "This run sent no notification, so none can be sent again: see daybook explain {id}.":
    "이 실행은 알림을 보내지 않아 다시 보낼 것이 없습니다. 이유 보기: daybook explain {id}",
  "The notification of this run, {notification}, still waits to be delivered: see daybook explain {id}.":
    "이 실행의 알림이 아직 전달되지 않았습니다: {notification}. 이유 보기: daybook explain {id}",
  'An agent reads and writes this book, and this token may not: it needs the scope "{scope}".':
    '에이전트는 이 장부를 읽고 쓰는데 이 토큰으로는 할 수 없습니다. "{scope}" 권한이 있는 토큰을 쓰세요.',
  'make a schedule that has {name} in "run".': '"run"에 {name:이/가} 있는 예약을 만드세요.',
  "{name} is a built-in runner, not a task: {advice}":
    "{name:은/는} 작업이 아니라 내장 실행 방식입니다. {advice}",
  "The input of {name} must be plain JSON.": "{name}의 입력은 일반 JSON이어야 합니다.",
  "{command} is not allowed to run here: {advice}.":
    "여기서 실행하도록 허용되지 않은 명령입니다: {command}. {advice}.",
  "put it into runners.command.allow in daybook.yaml, or set DAYBOOK_ALLOW_COMMANDS=1":
    "daybook.yaml의 runners.command.allow에 넣거나 DAYBOOK_ALLOW_COMMANDS=1을 설정하세요",
  "{problem}: set {setting} in daybook.yaml.": "{problem}. daybook.yaml에 설정하세요: {setting}.",
  "No agent is set up here": "여기에는 설정된 에이전트가 없습니다",
  "Commands are not allowed here": "여기서는 명령을 실행할 수 없습니다",
  "DAYBOOK_ALLOW_COMMANDS=1 or runners.command": "DAYBOOK_ALLOW_COMMANDS=1 또는 runners.command",
  "Only functions run here, by their names: {advice}.":
    "여기서는 이름을 붙인 함수만 실행합니다. {advice}.",
  "to run a command, an agent or an HTTP call, use a daemon over the same book (daybook start)":
    "명령, 에이전트, HTTP 호출을 실행하려면 같은 장부로 데몬을 실행하세요(daybook start)",
  "A run has one of {kinds}, not {count}: make a schedule for each.":
    "실행 내용은 하나만 쓸 수 있습니다({kinds}). 받은 수: {count}. 각각 예약을 만드세요.",
  "a command, a task, an http URL or an agent's goal": "명령, 작업, http URL 또는 에이전트의 목표",
  '"{name}" sets {what}: {advice}.': '"{name}" 값은 {what}입니다. {advice}.',
  "the folder of a command": "명령의 폴더",
  "the input of a task": "작업의 입력",
  "give {name} with it": "{name:과/와} 함께 쓰세요",
  "the command": "명령",
  "the task": "작업",
  "leave it out": "빼고 쓰세요",
  "Nothing to run: give {kinds}.": "실행할 것이 없습니다. 다음 중 하나를 쓰세요: {kinds}.",
  "Workspaces are not set up here: set machines to docker or local in daybook.yaml, or set DAYBOOK_MACHINES.":
    "작업 공간이 설정되어 있지 않습니다. daybook.yaml의 machines를 docker나 local로 하거나 DAYBOOK_MACHINES를 설정하세요.",
  'A command runs as the daemon\'s user, and this token may not run one: it needs the scope "run".':
    '명령은 데몬의 사용자 권한으로 실행됩니다. 이 토큰으로는 실행할 수 없습니다. "run" 권한이 있는 토큰을 쓰세요.',
  "Commands of {owner} are not allowed here: {advice}":
    "여기서는 {owner}의 명령을 실행할 수 없습니다. {advice}",
  "add the owner to runners.command.owners in daybook.yaml.":
    "daybook.yaml의 runners.command.owners에 그 소유자를 추가하세요.",
};
