import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly login: string | undefined;
}

export type Answer = (asked: Asked) => Reply;

/** A server that answers as a case says, and what it was asked. */
export async function serving(
  t: TestContext,
  answer: Answer,
): Promise<{ readonly url: string; readonly asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const { method = "", url: path = "", headers } = request;
    void text(request).then((body) => {
      const one = { method, path, headers, body, login: headers.authorization };
      asked.push(one);
      const { status, headers: own = {}, body: reply = "" } = answer(one);
      response.writeHead(status, { "content-type": "text/xml", ...own }).end(reply);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

export interface Resource {
  readonly href: string;
  readonly props?: string;
  /** Of the resource itself, which then has no properties. */
  readonly status?: number;
}

/** A multistatus; `more` follows the resources. */
export function list(resources: readonly Resource[], more = ""): Reply {
  const all = resources.map(({ href, props = "", status }) => {
    const content =
      status === undefined
        ? `<d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>`
        : `<d:status>HTTP/1.1 ${status} Status</d:status>`;
    return `<d:response><d:href>${href}</d:href>${content}</d:response>`;
  });
  const names =
    'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:cs="http://calendarserver.org/ns/"';
  return { status: 207, body: `<d:multistatus ${names}>${all.join("")}${more}</d:multistatus>` };
}
