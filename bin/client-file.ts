import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** In the data directory, while the service runs: address and key for the user's command. */
export const CLIENT_FILE = 'client.json';

interface ClientFileOptions {
  dataDir: string;
  /** Address on which the service listens. */
  url: string;
  key: string;
}

interface ClientFile {
  remove(): Promise<void>;
}

/** Writes the file in one step, readable by the service's user only. Components cannot reach the data directory. */
export async function writeClientFile({ dataDir, url, key }: ClientFileOptions): Promise<ClientFile> {
  const path = join(dataDir, CLIENT_FILE);
  const next = `${path}.new`;
  await rm(next, { force: true });
  await writeFile(next, `${JSON.stringify({ url: reachable(url), key })}\n`, { mode: 0o600, flag: 'wx' });
  await rename(next, path);
  return { remove: () => rm(path, { force: true }) };
}

/** A service that listens on every address is reached by the machine's own. */
function reachable(url: string): string {
  const address = new URL(url);
  if (address.hostname === '0.0.0.0') address.hostname = '127.0.0.1';
  if (address.hostname === '[::]') address.hostname = '[::1]';
  return `${address.origin}/v1`;
}
