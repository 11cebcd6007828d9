import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DavServer, type Missing, startServer } from "./dav-server.ts";

const [username, password] = ["mina", "물 and pills: 1"];

/** A real Radicale; or what is missing to run one. */
export async function radicale(): Promise<DavServer | Missing> {
  const server = await startServer({
    file: "radicale",
    package: "radicale",
    prepare(folder, port) {
      writeFileSync(join(folder, "users"), `${username}:${password}\n`);
      writeFileSync(join(folder, "settings"), settings(folder, port));
      return ["--config", join(folder, "settings")];
    },
  });
  if ("missing" in server) return server;
  const cache = (path: string): string =>
    join(server.folder, "data/collection-root", path, ".Radicale.cache/sync-token");
  return {
    ...server,
    name: "Radicale",
    home: `/${username}/`,
    username,
    password,
    unknownToken: `http://radicale.org/ns/sync/${"0".repeat(64)}`,
    forgetTokens: (path) => rmSync(cache(path), { recursive: true, force: true }),
  };
}

function settings(folder: string, port: number): string {
  return `[server]
hosts = 127.0.0.1:${port}
max_connections = 20
[auth]
type = htpasswd
htpasswd_filename = ${join(folder, "users")}
htpasswd_encryption = plain
delay = 0
[storage]
filesystem_folder = ${join(folder, "data")}
[logging]
level = warning
`;
}
