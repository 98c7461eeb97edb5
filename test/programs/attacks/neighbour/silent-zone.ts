import { createSocket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomInt } from 'node:crypto';

export const SILENT_ZONE = 'silent.test';
/** Port 53 and a mount of its own need root. */
export const canServeNames = process.platform === 'linux' && process.getuid?.() === 0;

const DNS_PORT = 53;
const NOT_FOUND = 0x8183;
const HEADER_BYTES = 12;

export interface SilentZone {
  /** Words before a command, which then asks this server instead of the machine's. */
  readonly wrapper: readonly string[];
  stop(): void;
}

/** A name server on an address of loopback that never answers about a zone, and answers that no other name exists. */
export async function startSilentZone(folder: string): Promise<SilentZone> {
  const address = `127.${randomInt(1, 250)}.${randomInt(1, 250)}.${randomInt(1, 250)}`;
  const server = createSocket('udp4');
  server.on('message', (query, { port, address: asker }) => {
    if (query.includes('silent')) return;
    const outcome = Buffer.from(query.subarray(0, Math.max(query.length, HEADER_BYTES)));
    outcome.writeUInt16BE(NOT_FOUND, 2);
    server.send(outcome, port, asker);
  });
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.bind(DNS_PORT, address, resolve);
  });
  const file = join(folder, 'resolv.conf');
  writeFileSync(file, `nameserver ${address}\noptions timeout:5 attempts:2\n`);
  return {
    wrapper: ['unshare', '--mount', 'sh', '-c', 'mount --bind "$0" /etc/resolv.conf && exec "$@"', file],
    stop: () => server.close(),
  };
}
