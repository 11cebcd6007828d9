import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";

/** A fake registry with one image, `image:1`. */
export interface Registry {
  /** Of the image, without a tag. */
  readonly name: string;
  readonly digest: string;
  /** Makes it answer with another manifest than the requested one. */
  serveWrongManifest(): void;
  stop(): Promise<void>;
}

const types = {
  manifest: "application/vnd.docker.distribution.manifest.v2+json",
  config: "application/vnd.docker.container.image.v1+json",
  layer: "application/vnd.docker.image.rootfs.diff.tar.gzip",
};

function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

export async function registry(tar: Uint8Array): Promise<Registry> {
  const layer = gzipSync(tar, { level: 1 });
  const config = Buffer.from(
    JSON.stringify({
      architecture: "amd64",
      os: "linux",
      config: {},
      rootfs: { type: "layers", diff_ids: [digestOf(tar)] },
      history: [{ created_by: "a test" }],
    }),
  );
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: types.manifest,
      config: { mediaType: types.config, size: config.length, digest: digestOf(config) },
      layers: [{ mediaType: types.layer, size: layer.length, digest: digestOf(layer) }],
    }),
  );
  const other = Buffer.concat([manifest, Buffer.from("\n")]);
  let isLying = false;
  const found = (path: string): Buffer | undefined => {
    if (path === "/v2/") return Buffer.from("{}");
    if (path === "/v2/image/manifests/1") return manifest;
    if (path === `/v2/image/manifests/${digestOf(manifest)}`) return isLying ? other : manifest;
    return [config, layer].find((blob) => path === `/v2/image/blobs/${digestOf(blob)}`);
  };
  const server = createServer((request, response) => {
    const bytes = found(request.url ?? "");
    if (bytes === undefined) {
      const errors = [{ code: "MANIFEST_UNKNOWN", message: "manifest unknown" }];
      response.writeHead(404, { "content-type": "application/json" });
      return response.end(JSON.stringify({ errors }));
    }
    const isManifest = bytes === manifest || bytes === other;
    response.writeHead(200, {
      "content-type": isManifest ? types.manifest : "application/octet-stream",
      "content-length": bytes.length,
      "docker-content-digest": digestOf(bytes),
    });
    return response.end(request.method === "HEAD" ? undefined : bytes);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    name: `127.0.0.1:${port}/image`,
    digest: digestOf(manifest),
    serveWrongManifest: () => void (isLying = true),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
