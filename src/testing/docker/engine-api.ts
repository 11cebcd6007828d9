import { request } from "node:http";

export interface EngineReply {
  readonly status: number;
  readonly text: string;
}

/** Calls a Docker engine by its documentation, without the adapter's code. */
export function callEngine(
  socketPath: string,
  line: `${"GET" | "POST" | "PUT" | "DELETE"} ${string}`,
  body?: Uint8Array | object,
): Promise<EngineReply> {
  const [method = "GET", path = "/"] = line.split(" ");
  const isBytes = body instanceof Uint8Array;
  const type = isBytes ? "application/x-tar" : "application/json";
  return new Promise((resolve, reject) => {
    const outgoing = request({
      socketPath,
      method,
      path,
      agent: false,
      headers: { "content-type": type },
    });
    outgoing.once("error", reject);
    outgoing.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (more: string) => (text += more));
      response.once("error", reject);
      response.once("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    outgoing.end(isBytes || body === undefined ? body : JSON.stringify(body));
  });
}
