import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificate.ts';
import { closeServer } from '../../support/close-server.ts';

/** A request as a stand-in received it. */
export interface Call {
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly query: Record<string, string>;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** The body, parsed when it is JSON or a form. */
  readonly body: unknown;
}

/** An expected value: itself, a pattern, a predicate, or an object whose members are checked. */
export type Expected =
  | string
  | number
  | boolean
  | null
  | RegExp
  | ((value: unknown) => boolean)
  | readonly Expected[]
  | Readonly<{ [name: string]: Expected }>;

export interface StandInResponse {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/**
 * One request that an upstream expects, and its response. Everything named here is checked; a query is checked whole.
 */
export interface Rule {
  /** Name of the rule in failures. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: Expected;
  readonly query?: Readonly<Record<string, Expected>>;
  readonly headers?: Readonly<Record<string, Expected>>;
  readonly body?: Expected;
  /** Checks the whole request, for example its signature. Returns the problem. */
  readonly check?: (call: Call) => string | undefined;
  readonly response: StandInResponse | ((call: Call) => StandInResponse);
  /** The scenario does not wait for this request. */
  readonly isOptional?: boolean;
}

/** The expectations of one upstream at one time, and what came of them. */
export class Upstream {
  readonly host: string;
  rules: readonly Rule[] = [];
  /** Runs before the response to a request that a rule expects. */
  beforeResponse: ((rule: Rule, call: Call) => Promise<void>) | undefined;
  readonly seen: { readonly rule: string; readonly call: Call }[] = [];
  readonly wrong: string[] = [];

  constructor(host: string) {
    this.host = host;
  }

  calls(rule: string): Call[] {
    return this.seen.filter((one) => one.rule === rule).map(({ call }) => call);
  }

  async respond(call: Call): Promise<StandInResponse | undefined> {
    const rule = this.rules.find((one) => mismatch(one, call) === undefined);
    if (!rule) return undefined;
    this.seen.push({ rule: rule.name, call });
    await this.beforeResponse?.(rule, call);
    return typeof rule.response === 'function' ? rule.response(call) : rule.response;
  }

  /** Records an unexpected request and, for each rule, the mismatch. */
  refuse(call: Call): void {
    const reasons = this.rules.map((rule) => `${rule.name}: ${mismatch(rule, call) ?? ''}`);
    this.wrong.push(
      `${call.method} ${call.path} ${JSON.stringify(call.query)} ${call.text.slice(0, 300)} (${reasons.join('; ')})`,
    );
  }
}

/** All upstreams of a run behind two ports; a request belongs to the upstream of its host that expects it. */
export class StandIns {
  readonly securePort: number;
  readonly plainPort: number;
  readonly #upstreams: Upstream[];
  readonly #close: () => Promise<void>;

  private constructor(upstreams: Upstream[], ports: { secure: number; plain: number }, close: () => Promise<void>) {
    this.#upstreams = upstreams;
    this.securePort = ports.secure;
    this.plainPort = ports.plain;
    this.#close = close;
  }

  static async start(certificate: Certificate): Promise<StandIns> {
    const upstreams: Upstream[] = [];
    const handle = (request: IncomingMessage, response: ServerResponse) => {
      void callOf(request).then(async (call) => {
        const { status = 200, headers, body } = await responseOf(upstreams, call);
        const isText = typeof body === 'string';
        response.writeHead(status, {
          'content-type': isText ? 'text/plain' : 'application/json',
          ...headers,
        });
        response.end(body === undefined ? '' : isText ? body : JSON.stringify(body));
      });
    };
    const servers = [createServer(certificate, handle), createPlainServer(handle)] as const;
    const ports = await Promise.all(
      servers.map(async (server) => {
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        return (server.address() as AddressInfo).port;
      }),
    );
    const [secure = 0, plain = 0] = ports;
    return new StandIns(upstreams, { secure, plain }, async () => {
      for (const server of servers) {
        server.closeAllConnections();
        await closeServer(server);
      }
    });
  }

  upstream(host: string): Upstream {
    const made = new Upstream(host === PLAIN ? `127.0.0.1:${this.plainPort}` : host);
    this.#upstreams.push(made);
    return made;
  }

  /** The stage's `runnerHosts`: these hosts lead to this server, all other hosts are unreachable. */
  hostsFor(hosts: readonly string[]): Record<string, string> {
    const named = hosts.filter((host) => host !== PLAIN);
    // Port 1 refuses connections: any other request of a component fails immediately and reaches no real upstream.
    return {
      '*': '127.0.0.1:1',
      ...Object.fromEntries(named.map((host) => [host, `127.0.0.1:${this.securePort}`])),
    };
  }

  stop(): Promise<void> {
    return this.#close();
  }
}

/** Host of an upstream whose address the component is given. */
export const PLAIN = 'plain';

async function responseOf(upstreams: readonly Upstream[], call: Call): Promise<StandInResponse> {
  const ofHost = upstreams.filter(({ host }) => host === call.host);
  for (const upstream of ofHost) {
    const response = await upstream.respond(call);
    if (response) return response;
  }
  for (const upstream of ofHost) upstream.refuse(call);
  return { status: 500, body: { error: 'The stand-in did not expect this.' } };
}

async function callOf(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host');
  return {
    host: request.headers.host ?? '',
    method: request.method ?? '',
    path: decodeURIComponent(pathname),
    query: Object.fromEntries(searchParams),
    headers: request.headers,
    text,
    body: parsed(text, request.headers['content-type'] ?? ''),
  };
}

function parsed(text: string, type: string): unknown {
  if (type.includes('x-www-form-urlencoded') && !text.startsWith('{'))
    return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function mismatch(rule: Rule, call: Call): string | undefined {
  if (rule.method !== call.method) return `method ${call.method}`;
  if (!matches(rule.path, call.path)) return `path ${call.path}`;
  const unknown = Object.keys(call.query).find((name) => !Object.hasOwn(rule.query ?? {}, name));
  if (unknown !== undefined) return `query ${unknown}`;
  for (const part of ['query', 'headers', 'body'] as const)
    if (rule[part] !== undefined && !matches(rule[part], call[part])) return `${part} ${JSON.stringify(call[part])}`;
  return rule.check?.(call);
}

export function matches(expected: Expected, value: unknown): boolean {
  if (expected instanceof RegExp) return typeof value === 'string' && expected.test(value);
  if (typeof expected === 'function') return expected(value);
  if (Array.isArray(expected))
    return (
      Array.isArray(value) &&
      value.length === expected.length &&
      expected.every((member, at) => matches(member as Expected, value[at]))
    );
  if (typeof expected === 'object' && expected !== null)
    return (
      typeof value === 'object' &&
      value !== null &&
      Object.entries(expected).every(([name, member]) =>
        matches(member as Expected, (value as Record<string, unknown>)[name]),
      )
    );
  return expected === value;
}
