import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { pack } from "tar-stream";

/** The tar of an image with busybox under each of its names, so that no registry is needed. */
export async function busyboxTar(busybox: string): Promise<Buffer> {
  const tar = pack();
  for (const name of [
    "bin",
    "dev",
    "etc",
    "home",
    "proc",
    "root",
    "sys",
    "tmp",
    "usr",
    "usr/bin",
  ]) {
    tar.entry({ name, type: "directory", mode: 0o755 });
  }
  tar.entry({ name: "etc/passwd" }, "root:x:0:0:root:/root:/bin/sh\n");
  tar.entry({ name: "bin/busybox", mode: 0o755 }, readFileSync(busybox));
  const names = execFileSync(busybox, ["--list"], { encoding: "utf8" }).trim().split("\n");
  for (const name of names) {
    if (name === "busybox") continue;
    tar.entry({ name: `bin/${name}`, type: "symlink", linkname: "busybox" });
  }
  tar.finalize();
  return Buffer.concat(await Array.fromAsync(tar as AsyncIterable<Uint8Array>));
}
