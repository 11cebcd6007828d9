import { join } from "node:path";
import { type DavServer, type Missing, startServer } from "./dav-server.ts";

/** A real Xandikos; or what is missing to run one. It has no logins of its own. */
export async function xandikos(): Promise<DavServer | Missing> {
  const server = await startServer({
    file: "xandikos",
    package: "xandikos",
    prepare: (folder, port) => [
      "--directory",
      join(folder, "data"),
      "--defaults",
      "--listen-address",
      "127.0.0.1",
      "--port",
      `${port}`,
    ],
  });
  if ("missing" in server) return server;
  return {
    ...server,
    name: "Xandikos",
    home: "/user/calendars/",
    username: "anybody",
    password: "anything",
    unknownToken: "0".repeat(40),
    garbles: /\\n/, // it reads an escaped backslash before an n as the end of a line
  };
}
