import { createSocket, type Socket } from 'node:dgram';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Names } from '../../shared/dns/resolve-names.ts';

/** Addresses with their TTL in seconds; no addresses: the name has none of this family. */
interface Records {
  a?: string[];
  aaaa?: string[];
  ttl?: number;
}
export type DnsResponse = Records | 'absent' | 'failure' | 'silent';

const TYPE_A = 1;
const TYPE_AAAA = 28;
const CODES = { absent: 3, failure: 2 };

/** A DNS server on loopback, and the resolver of a machine that asks it. */
export class NameServer {
  /** `name type` of each query. */
  readonly queries: string[] = [];
  readonly names: Names;
  readonly resolvConf: string;
  readonly hosts: string;
  readonly port: number;
  readonly #socket: Socket;
  readonly #folder: string;

  private constructor(
    socket: Socket,
    { resolvConf, hosts }: { resolvConf: string; hosts: string },
    response: (name: string, type: 'A' | 'AAAA') => DnsResponse,
  ) {
    this.#socket = socket;
    this.port = socket.address().port;
    this.#folder = mkdtempSync(join(tmpdir(), 'name-server-'));
    this.resolvConf = join(this.#folder, 'resolv.conf');
    this.hosts = join(this.#folder, 'hosts');
    writeFileSync(this.resolvConf, `nameserver 127.0.0.1:${this.port}\n${resolvConf}`);
    writeFileSync(this.hosts, hosts);
    this.names = new Names({ resolvConf: this.resolvConf, hosts: this.hosts });
    socket.on('message', (query, { port, address }) => {
      const { name, type, end } = questionOf(query);
      this.queries.push(`${name} ${type}`);
      const found = response(name, type);
      if (found === 'silent') return;
      const records = typeof found === 'string' ? [] : recordsOf(found, type);
      const head = Buffer.from(query.subarray(0, 12));
      head.writeUInt16BE(0x8180 | (typeof found === 'string' ? CODES[found] : 0), 2);
      head.writeUInt16BE(records.length, 6);
      head.writeUInt32BE(0, 8);
      socket.send(Buffer.concat([head, query.subarray(12, end), ...records]), port, address);
    });
  }

  static async start(
    response: (name: string, type: 'A' | 'AAAA') => DnsResponse,
    { resolvConf = '', hosts = '' } = {},
  ): Promise<NameServer> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return new NameServer(socket, { resolvConf, hosts }, response);
  }

  /** Addresses of a name, or the code of the error. */
  lookup(host: string, owner?: string, party = ''): Promise<string[] | string> {
    return new Promise((resolve) => {
      const by = owner === undefined ? undefined : { owner, party };
      this.names.lookup(host, { by }, (error, addresses) => {
        resolve(error ? String(error.code) : addresses.map(({ address }) => address));
      });
    });
  }

  stop(): void {
    this.#socket.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function questionOf(query: Buffer): { name: string; type: 'A' | 'AAAA'; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = query.readUInt16BE(at + 1) === TYPE_AAAA ? 'AAAA' : 'A';
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 };
}

function recordsOf({ a = [], aaaa = [], ttl = 60 }: Records, type: 'A' | 'AAAA'): Buffer[] {
  const addresses = type === 'A' ? a.map(bytesOfV4) : aaaa.map(bytesOfV6);
  return addresses.map((bytes) => {
    const head = Buffer.alloc(12);
    // The name of the question.
    head.writeUInt16BE(0xc00c, 0);
    head.writeUInt16BE(type === 'A' ? TYPE_A : TYPE_AAAA, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt32BE(ttl, 6);
    head.writeUInt16BE(bytes.length, 10);
    return Buffer.concat([head, bytes]);
  });
}

const bytesOfV4 = (address: string): Buffer => Buffer.from(address.split('.').map(Number));

function bytesOfV6(address: string): Buffer {
  const [first = '', last = ''] = address.split('::');
  const words = (text: string) => (text === '' ? [] : text.split(':').map((word) => parseInt(word, 16)));
  const [start, end] = [words(first), words(last)];
  const all = [...start, ...Array.from({ length: 8 - start.length - end.length }, () => 0), ...end];
  return Buffer.from(all.flatMap((word) => [word >> 8, word & 0xff]));
}
