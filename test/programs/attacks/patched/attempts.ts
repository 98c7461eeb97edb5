/* oxlint-disable typescript/prefer-for-of -- `for` … `of` calls the iterator of arrays, which is patched here */
import { ChildProcess } from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import v8 from 'node:v8';
import type { Target } from '../attack.ts';
import { stolen } from './replacements.ts';

const { apply, get } = Reflect;

/** True if the attempt reached what it must not. */
export interface Attempt {
  name: string;
  isReached(): boolean;
}

type Call = (this: unknown, ...args: unknown[]) => unknown;
type Maker = new (type?: number) => object;

const isCall = (value: unknown): value is Call => typeof value === 'function';
const isMaker = (value: unknown): value is Maker => typeof value === 'function';

function member(owner: object, name: string): Call {
  const found: unknown = get(owner, name);
  if (!isCall(found)) throw new Error(`There is no ${name}.`);
  return found;
}

function makerOf(value: unknown): Maker {
  const made: unknown = typeof value === 'object' && value !== null ? get(value, 'constructor') : undefined;
  if (!isMaker(made)) throw new Error('The handle has no constructor.');
  return made;
}

/**
 * The class of a server's handle, and of the requests that it takes. Undefined where the rule refuses a request to make
 * one.
 */
async function classesOf(listen: net.ListenOptions): Promise<{ handle: Maker; request: Maker | undefined }> {
  const server = net.createServer().listen(listen);
  await new Promise((resolve) => server.once('listening', resolve));
  const handle = makerOf(get(server, '_handle'));
  const address = server.address();
  const target = typeof address === 'string' ? { path: address } : { host: '127.0.0.1', port: address?.port ?? 0 };
  const request = await new Promise<unknown>((resolve) => {
    const connect = (made: unknown) => (resolve(made), -1);
    const probe = Object.defineProperty(new handle(0), 'connect', { value: connect });
    Object.assign(new net.Socket(), { _handle: probe })
      .on('error', () => resolve(undefined))
      .connect(target);
  });
  server.close();
  return { handle, request: request === undefined ? undefined : makerOf(request) };
}

function udpHandle(): object {
  const socket = dgram.createSocket('udp4').unref();
  for (const symbol of Object.getOwnPropertySymbols(socket)) {
    const state: unknown = get(socket, symbol);
    const handle: unknown = typeof state === 'object' && state !== null ? get(state, 'handle') : undefined;
    if (typeof handle === 'object' && handle !== null) return handle;
  }
  throw new Error('Node keeps the handle of a UDP socket elsewhere.');
}

/**
 * Attempts that take no turn of the event loop, and the objects that they use. All of them are made before anything is
 * patched.
 */
export async function attemptsAt(
  target: Target,
  port: number,
  allowedHost: string,
): Promise<{ attempts: readonly Attempt[]; doAllowed: Attempt; hidden: Record<string, unknown> }> {
  const { canary, folder, socket } = target;
  const tcp = await classesOf({ host: '127.0.0.1', port: 0 });
  const pipe = await classesOf({ path: 'own.sock' });
  const requestOf = (request: Maker | undefined) =>
    Object.assign(request ? new request() : {}, { oncomplete: () => undefined });
  const tcpRequest = requestOf(tcp.request);
  const pipeRequest = requestOf(pipe.request);
  let tcpHandle = new tcp.handle(0);
  const pipeHandle = new pipe.handle(0);
  const udp = udpHandle();
  const resolver: unknown = get(new dns.Resolver(), '_handle');
  const channel = typeof resolver === 'object' && resolver !== null ? resolver : {};
  const child: unknown = get(new ChildProcess(), '_handle');
  const handles = { tcpHandle, pipeHandle, udp, channel, child };

  const guards: Call[] = [];
  /** A guarded function, as it is before anything is patched. */
  const guard = (owner: object, name: string): Call => {
    const found = member(owner, name);
    guards.push(found);
    return found;
  };
  const zero = (name: string, owner: () => object, method: string, args: readonly unknown[]): Attempt => {
    const call = guard(owner(), method);
    return {
      name,
      isReached() {
        if (apply(call, owner(), args) !== 0) return false;
        tcpHandle = new tcp.handle(0);
        return true;
      },
    };
  };
  const returns = (name: string, call: () => unknown): Attempt => ({
    name,
    isReached: () => (call(), true),
  });
  const tcpOf = () => tcpHandle;
  const { ppid } = process;
  const setPriority = guard(os, 'setPriority');
  const binding = guard(process, 'binding');
  const setFlags = guard(v8, 'setFlagsFromString');
  const snapshot = guard(v8, 'writeHeapSnapshot');
  const { existsSync, openSync, readFileSync, readdirSync, writeFileSync } = fs;
  const bytes = Buffer.from(canary);
  const list = [[4, '127.0.0.1', port]];
  const attempts: Attempt[] = [
    zero('connect', tcpOf, 'connect', [tcpRequest, '127.0.0.1', port]),
    zero('connect by IPv6', tcpOf, 'connect6', [tcpRequest, '::ffff:7f00:1', port]),
    zero('connect by UDP', () => udp, 'connect', ['127.0.0.1', port]),
    zero('use a server as resolver', () => channel, 'setServers', [list]),
    zero('connect to a Unix socket', () => pipeHandle, 'connect', [pipeRequest, socket]),
    zero('listen on a Unix socket', () => pipeHandle, 'bind', [`${folder}/x.sock`]),
    zero('bind to every address', tcpOf, 'bind', ['0.0.0.0', 0, 0]),
    zero('listen on every address', tcpOf, 'listen', [1]),
    zero('signal the parent', () => process, '_kill', [ppid, 0]),
    zero('signal by a handle', () => handlesOf(child), 'kill', [0]),
    returns('change a priority', () => setPriority(ppid, 0)),
    returns('use bindings', () => binding('fs')),
    returns('set flags', () => setFlags('--stack-trace-limit=0')),
    returns('write a snapshot', () => snapshot(`${folder}/x`)),
    { name: 'read a file', isReached: () => isCanary(readFileSync(canary, 'latin1')) },
    { name: 'read a file by bytes', isReached: () => isCanary(readFileSync(bytes, 'latin1')) },
    returns('open a file', () => openSync(canary, 'r')),
    returns('write a file', () => writeFileSync(`${folder}/written`, '')),
    returns('list a directory', () => readdirSync(folder)),
    { name: 'see a file', isReached: () => existsSync(canary) },
    {
      name: 'use an original that a builtin overheard',
      isReached() {
        for (let index = 0; index < stolen.length; index += 1) {
          const call = stolen[index];
          if (isCall(call) && !isOneOf(guards, call) && isUsable(call)) return true;
        }
        return false;
      },
    },
  ];
  /** Only functions of these names are called with such arguments: another could crash the process. */
  function isUsable(call: Call): boolean {
    const { name } = call;
    try {
      if (name === 'connect' && call.length === 0) {
        return apply(call, tcpHandle, [tcpRequest, '127.0.0.1', port]) === 0;
      }
      if (name === 'listen' && call.length === 0) return apply(call, tcpHandle, [1]) === 0;
      if (name === '_kill') return apply(call, process, [ppid, 0]) === 0;
      if (name === 'kill') return apply(call, child, [0]) === 0;
      if (name === 'setFlagsFromString') return (apply(call, v8, ['--stack-trace-limit=0']), true);
    } catch {
      // Another function of the name.
    }
    return false;
  }
  const connectUdp = member(udp, 'connect');
  const disconnectUdp = member(udp, 'disconnect');
  /** A datagram socket connects without a packet. */
  const doAllowed: Attempt = {
    name: 'connect by UDP where it is allowed',
    isReached: () => {
      const result = apply(connectUdp, udp, [allowedHost, target.udpPort]);
      apply(disconnectUdp, udp, []);
      return result === 0;
    },
  };
  return { attempts, doAllowed, hidden: { ...handles, tcpRequest, pipeRequest } };
}

const handlesOf = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

const isCanary = (text: unknown): boolean => text === '"canary"';

function isOneOf(list: readonly unknown[], value: unknown): boolean {
  for (let index = 0; index < list.length; index += 1) if (list[index] === value) return true;
  return false;
}
