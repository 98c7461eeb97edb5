import type { LookupAddress } from 'node:dns';
import { closeSync, constants, openSync } from 'node:fs';
import { createServer, isIP, type Server, Socket } from 'node:net';
import { basename, join } from 'node:path';
import type { LookupParty } from '../../../shared/dns/lookup-permits.ts';
import type { Names } from '../../../shared/dns/resolve-names.ts';
import { LineReader } from '../../../shared/lib/line-reader.ts';
import { CONNECTIONS } from '../../../shared/runtime/network/gateway-client.ts';
import { ConnectionPairs } from './connection-pairs.ts';
import type { DescriptorBudget } from './descriptor-budget.ts';
import { type Connect, errorOf, type Request, requestOf } from './gateway-requests.ts';
import type { Refuses } from '../../../shared/runtime/network/address-rule.ts';

/** The longest request of a process. */
const LONGEST_LINE = 4096;
/** Connections of one process, open or in progress; more are refused. */
const MAX_CONNECTIONS = 512;
/**
 * Connections from one process, also those whose request was refused and that the process has not closed yet; more are
 * closed.
 */
const MAX_ACCEPTED = 2 * MAX_CONNECTIONS;
/** Requests of one process without a response; more wait. */
const MAX_REQUESTS = 1024;
/** Sockets for requests. A process needs one. */
const MAX_CONTROLS = 8;
const CONNECT_TIMEOUT_MS = 60_000;
/** Time in which the other half of a connection must come. */
const PAIR_TIMEOUT_MS = CONNECT_TIMEOUT_MS + 10_000;

/** The rule of one process, and what it shares with all others. */
export interface GatewayOptions {
  refuses: () => Refuses;
  /** The account to which its descriptors are counted now, and its lookups as those of a party of the account. */
  holder: () => LookupParty;
  names: Pick<Names, 'lookup' | 'records'>;
  descriptors: DescriptorBudget;
}

/** The directory of the gateway's sockets, as the process sees it. */
export const GATEWAY_DIRECTORY = '/gateway';
export const GATEWAY_PATH = join(GATEWAY_DIRECTORY, 'gateway');

/**
 * The only way out of one sandboxed process: a Unix socket in a directory of its own. It resolves the names that the
 * process asks for, judges every address by the network rule, and pipes each connection to its target.
 */
export class Gateway {
  readonly #descriptor: number;
  readonly #requests: Server;
  readonly #connections: Server;
  readonly #options: GatewayOptions;
  readonly #open = new Set<Socket>();
  readonly #pairs = new ConnectionPairs(PAIR_TIMEOUT_MS);
  #count = 0;

  constructor(directory: string, options: GatewayOptions) {
    this.#descriptor = openSync(directory, constants.O_DIRECTORY | constants.O_RDONLY);
    this.#options = options;
    this.#requests = createServer((socket) => this.#serve(socket));
    this.#connections = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => this.#accept(socket));
    this.#requests.maxConnections = MAX_CONTROLS;
    this.#connections.maxConnections = MAX_ACCEPTED;
  }

  static async open(directory: string, options: GatewayOptions): Promise<Gateway> {
    const gateway = new Gateway(directory, options);
    await Promise.all([
      listening(gateway.#requests, gateway.#pathOf(basename(GATEWAY_PATH))),
      listening(gateway.#connections, gateway.#pathOf(CONNECTIONS)),
    ]);
    return gateway;
  }

  /** A path through the descriptor of the directory, because the path of a socket has at most 107 bytes. */
  #pathOf(name: string): string {
    return `/proc/self/fd/${this.#descriptor}/${name}`;
  }

  close(): void {
    this.#requests.close();
    this.#connections.close();
    for (const socket of this.#open) socket.destroy();
    closeSync(this.#descriptor);
  }

  #serve(socket: Socket): void {
    if (!this.#keep(socket)) return;
    const lines = new LineReader();
    let pending = 0;
    // A process that asks without reading the responses would fill the memory of the spawner.
    const flow = () => {
      if (pending >= MAX_REQUESTS || socket.writableNeedDrain) socket.pause();
      else socket.resume();
    };
    const respond = async (line: string) => {
      pending += 1;
      socket.write(await this.#respond(line));
      pending -= 1;
      flow();
    };
    socket.on('drain', flow);
    socket.on('data', (chunk: Buffer) => {
      for (const line of lines.push(chunk)) void respond(line);
      if (lines.pending > LONGEST_LINE) socket.destroy();
      flow();
    });
  }

  /** Closes a socket for which the account has no descriptor. */
  #keep(socket: Socket): boolean {
    const giveBack = this.#options.descriptors.take(this.#options.holder().owner);
    socket.on('error', () => undefined);
    if (!giveBack) {
      socket.destroy();
      return false;
    }
    this.#open.add(socket);
    socket.on('close', () => {
      this.#open.delete(socket);
      giveBack();
    });
    return true;
  }

  async #respond(line: string): Promise<string> {
    const request = requestOf(line);
    if (!request) return '';
    try {
      return `${JSON.stringify({ id: request.id, ...(await this.#result(request)) })}\n`;
    } catch (error) {
      if ('connect' in request) this.#pairs.fail(request.id);
      return `${JSON.stringify({ id: request.id, error: errorOf(error) })}\n`;
    }
  }

  async #result(request: Request): Promise<object> {
    if ('lookup' in request) {
      const { host, family, hints } = request.lookup;
      return { addresses: await this.#lookup(host, { family, hints }) };
    }
    if ('resolve' in request) {
      const { name, type } = request.resolve;
      return { records: await this.#options.names.records(name, type, this.#options.holder()) };
    }
    const target = await this.#counted(request.connect);
    this.#pairs.add(request.id, { target });
    return { address: target.remoteAddress, family: isIP(target.remoteAddress ?? '') };
  }

  async #counted({ host, port, family }: Connect): Promise<Socket> {
    if (this.#count >= MAX_CONNECTIONS) throw refused(`open more than ${MAX_CONNECTIONS} connections`);
    this.#count += 1;
    try {
      const target = await this.#connected(host, port, await this.#allowed(host, port, family));
      target.once('close', () => (this.#count -= 1));
      return target;
    } catch (error) {
      this.#count -= 1;
      throw error;
    }
  }

  #lookup(host: string, options: { family: number; hints?: number }): Promise<LookupAddress[]> {
    const { names, holder } = this.#options;
    return new Promise((resolve, reject) => {
      names.lookup(host, { ...options, by: holder() }, (error, addresses) => {
        if (error) reject(error);
        else resolve(addresses);
      });
    });
  }

  /** One refused address refuses the name, because Node may try any of them. */
  async #allowed(host: string, port: number, family: 0 | 4 | 6): Promise<LookupAddress[]> {
    const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await this.#lookup(host, { family });
    const refuses = this.#options.refuses();
    const denied = addresses.find(({ address }) => refuses(address, port));
    if (denied) throw refused(`connect to ${host === denied.address ? host : `${host} (${denied.address})`}`);
    return addresses;
  }

  #connected(host: string, port: number, addresses: LookupAddress[]): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = new Socket({ allowHalfOpen: true });
      if (!this.#keep(socket)) return reject(refused('open more connections now: its user has too many'));
      socket.setTimeout(CONNECT_TIMEOUT_MS, () => socket.destroy(new Error(`connect ETIMEDOUT ${host}:${port}`)));
      socket.once('error', reject).once('connect', () => {
        socket.setTimeout(0);
        socket.setNoDelay(true);
        resolve(socket);
      });
      socket.connect({
        host,
        port,
        autoSelectFamily: true,
        // The addresses that were judged, so that the name cannot change in between.
        lookup: (_name, { all }, done) => {
          const [first] = addresses;
          if (all === true) done(null, addresses);
          else done(null, first?.address ?? '', first?.family ?? 4);
        },
      });
    });
  }

  /** A connection of the process. Its first line is the id of the request that it belongs to. */
  #accept(socket: Socket): void {
    if (!this.#keep(socket)) return;
    // It ended before it said what it belongs to.
    const drop = () => socket.destroy();
    socket.once('end', drop).once('data', (chunk: Buffer) => {
      socket.off('end', drop);
      socket.pause();
      const end = chunk.indexOf('\n');
      if (end < 0) return socket.destroy();
      if (end + 1 < chunk.length) socket.unshift(chunk.subarray(end + 1));
      this.#pairs.add(Number(chunk.subarray(0, end).toString('latin1')), { socket });
    });
    socket.resume();
  }
}

const listening = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    // The process may have another user. Its directory keeps others out.
    server.once('error', reject).listen({ path, writableAll: true }, resolve);
  });

const refused = (what: string) =>
  Object.assign(new Error(`A component may not ${what}.`), { code: 'ERR_ACCESS_DENIED' });
