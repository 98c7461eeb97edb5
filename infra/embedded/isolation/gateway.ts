import { type LookupAddress, promises as dns } from 'node:dns';
import { closeSync, constants, openSync } from 'node:fs';
import { createServer, isIP, type Server, Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { LineReader } from '../../../shared/domain/line-reader.ts';
import { CONNECTIONS } from '../../../shared/runtime/network/gateway-client.ts';
import { type AddressRule, type Refuses, refusesBy } from '../../../shared/runtime/network/address-rule.ts';

const Family = z.union([z.literal(0), z.literal(4), z.literal(6)]).default(0);

/** One line from the process; see {@link GatewayClient}. */
const Request = z.intersection(
  z.object({ id: z.number() }),
  z.union([
    z.object({
      connect: z.object({
        host: z.string().min(1).max(255),
        port: z.number().int().min(0).max(65_535),
        family: Family,
      }),
    }),
    z.object({
      lookup: z.object({ host: z.string().max(255), family: Family, hints: z.number().int().default(0) }),
    }),
    z.object({ resolve: z.object({ name: z.string().max(255), type: z.string().max(8) }) }),
  ]),
);
type Request = z.infer<typeof Request>;

/** The longest request of a process. */
const LONGEST_LINE = 4096;
/** Open connections of one process; more are refused. */
const MAX_CONNECTIONS = 512;
const CONNECT_TIMEOUT_MS = 60_000;
/** Time in which the other half of a connection must come. */
const PAIR_TIMEOUT_MS = CONNECT_TIMEOUT_MS + 10_000;

interface Half {
  /** From the process. */
  socket?: Socket;
  /** To its target. */
  target?: Socket;
}

export type NetworkRule = Omit<AddressRule, 'ownAddresses'>;

/** The directory of the gateway's sockets, as the process sees it. */
export const GATEWAY_DIRECTORY = '/gateway';
export const GATEWAY_PATH = join(GATEWAY_DIRECTORY, 'gateway');

/**
 * The only way out of one sandboxed process: a Unix socket in a directory of its own. It resolves the names that the process asks for, judges
 * every address by the network rule, and pipes each connection to its target.
 */
export class Gateway {
  readonly #descriptor: number;
  readonly #requests: Server;
  readonly #connections: Server;
  readonly #refuses: () => Refuses;
  readonly #open = new Set<Socket>();
  readonly #halves = new Map<number, Half>();

  constructor(directory: string, refuses: () => Refuses) {
    this.#descriptor = openSync(directory, constants.O_DIRECTORY | constants.O_RDONLY);
    this.#refuses = refuses;
    this.#requests = createServer((socket) => this.#serve(socket));
    this.#connections = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) =>
      this.#accept(socket),
    );
  }

  static async open(directory: string, refuses: () => Refuses): Promise<Gateway> {
    const gateway = new Gateway(directory, refuses);
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
    this.#keep(socket);
    const lines = new LineReader();
    socket.setEncoding('utf8').on('data', (text: string) => {
      for (const line of lines.push(text)) void this.#answer(line).then((answer) => socket.write(answer));
      if (lines.pending > LONGEST_LINE) socket.destroy();
    });
  }

  #keep(socket: Socket): void {
    this.#open.add(socket);
    socket.on('error', () => undefined).on('close', () => this.#open.delete(socket));
  }

  async #answer(line: string): Promise<string> {
    const request = Request.safeParse(parsed(line)).data;
    if (!request) return '';
    try {
      return `${JSON.stringify({ id: request.id, ...(await this.#result(request)) })}\n`;
    } catch (error) {
      return `${JSON.stringify({ id: request.id, error: errorOf(error) })}\n`;
    }
  }

  async #result(request: Request): Promise<object> {
    if ('lookup' in request) {
      const { host, family, hints } = request.lookup;
      return { addresses: await dns.lookup(host, { all: true, family, hints }) };
    }
    if ('resolve' in request) {
      const { name, type } = request.resolve;
      return { records: await (type === 'REVERSE' ? dns.reverse(name) : dns.resolve(name, type)) };
    }
    const { host, port, family } = request.connect;
    if (this.#open.size > MAX_CONNECTIONS) throw refused(`open more than ${MAX_CONNECTIONS} connections`);
    const target = await this.#connected(host, port, await this.#allowed(host, port, family));
    this.#pair(request.id, { target });
    return { address: target.remoteAddress, family: isIP(target.remoteAddress ?? '') };
  }

  /** One refused address refuses the name, because Node may try any of them. */
  async #allowed(host: string, port: number, family: 0 | 4 | 6): Promise<LookupAddress[]> {
    const addresses = isIP(host)
      ? [{ address: host, family: isIP(host) }]
      : await dns.lookup(host, { all: true, family });
    const refuses = this.#refuses();
    const denied = addresses.find(({ address }) => refuses(address, port));
    if (denied) throw refused(`connect to ${host === denied.address ? host : `${host} (${denied.address})`}`);
    return addresses;
  }

  #connected(host: string, port: number, addresses: LookupAddress[]): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = new Socket({ allowHalfOpen: true });
      this.#keep(socket);
      socket.setTimeout(CONNECT_TIMEOUT_MS, () =>
        socket.destroy(new Error(`connect ETIMEDOUT ${host}:${port}`)),
      );
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
    this.#keep(socket);
    if (this.#open.size > 2 * MAX_CONNECTIONS) return void socket.destroy();
    socket.once('data', (chunk: Buffer) => {
      socket.pause();
      const end = chunk.indexOf('\n');
      if (end < 0) return socket.destroy();
      if (end + 1 < chunk.length) socket.unshift(chunk.subarray(end + 1));
      this.#pair(Number(chunk.subarray(0, end).toString('latin1')), { socket });
    });
    socket.resume();
  }

  /** The connection of the process and the one to its target come in any order. */
  #pair(id: number, half: Half): void {
    const { socket, target } = { ...this.#halves.get(id), ...half };
    const ends = [socket, target];
    if (socket && target) {
      this.#halves.delete(id);
      socket.setTimeout(0);
      target.setTimeout(0);
      socket.pipe(target).pipe(socket);
      socket.on('close', () => target.destroy());
      target.on('close', () => socket.destroy());
      if (target.destroyed) socket.destroy();
      if (socket.destroyed) target.destroy();
      return;
    }
    this.#halves.set(id, half);
    for (const end of ends) {
      end?.setTimeout(PAIR_TIMEOUT_MS, () => end.destroy()).once('close', () => this.#halves.delete(id));
    }
  }
}

const listening = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(path, resolve);
  });

/** Addresses of this machine may change. */
const RULE_MS = 10_000;

/** The rule with the addresses of this machine. It is made again every ten seconds, because it takes longer than a connection. */
export function currentRule(ruleNow: () => NetworkRule): () => Refuses {
  let made: { refuses: Refuses; ports: readonly number[]; at: number } | undefined;
  return () => {
    const rule = ruleNow();
    const now = performance.now();
    if (made && made.ports === rule.ownPorts && now - made.at < RULE_MS) return made.refuses;
    const ownAddresses = Object.values(networkInterfaces()).flatMap((each) =>
      (each ?? []).map(({ address }) => address),
    );
    made = { refuses: refusesBy({ ...rule, ownAddresses }), ports: rule.ownPorts, at: now };
    return made.refuses;
  };
}

const refused = (what: string) =>
  Object.assign(new Error(`A component may not ${what}.`), { code: 'ERR_ACCESS_DENIED' });

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The members of an error of Node by which clients tell causes apart. */
const ErrorMembers = z.object({
  message: z.string(),
  code: z.string().optional(),
  errno: z.number().optional(),
  syscall: z.string().optional(),
  address: z.string().optional(),
  port: z.number().optional(),
  hostname: z.string().optional(),
});

function errorOf(error: unknown): z.infer<typeof ErrorMembers> {
  // Node tries several addresses and reports each failure.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const { success, data } = ErrorMembers.safeParse(
    first instanceof Error ? { ...first, message: first.message } : undefined,
  );
  return success ? data : { message: String(first) };
}
