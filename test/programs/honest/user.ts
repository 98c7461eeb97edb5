import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import * as z from 'zod';
import { freePort } from '../../support/free-port.ts';
import { type Service, startService, stopService, TEST_KEY } from '../../support/service.ts';
import { DEADLINE_MS } from '../../support/until.ts';

const Created = z.object({ data: z.looseObject({ id: z.string() }) });
const Token = z.object({ data: z.looseObject({ url: z.string() }) });
const Endpoint = z.object({ configured_props: z.record(z.string(), z.unknown()) });
const EndpointValue = z.object({ endpoint_url: z.string() });
const Problem = z.object({ code: z.string() });
const Events = z.object({ data: z.array(z.looseObject({ event: z.unknown() })) });
const ErrorEvent = z.object({ error: z.looseObject({}) });

/** The service stops, or a build goes on: the request is to be repeated. */
const UNAVAILABLE = 503;
/** A sender repeats a request whose connection ends: the service is restarted twice meanwhile. */
const REPEATED_FOR_MS = 2 * DEADLINE_MS;
const PAUSE_MS = 100;
/** Connections of all senders of one user. */
const CONNECTIONS = 64;

export interface Source {
  id: string;
  /** Path of its endpoint; empty without one. */
  path: string;
}

interface StartOptions {
  dataDir: string;
  port: number;
  ingressPort: number;
}

/** A user of one service, and the service, which can be restarted in the middle of the user's work. */
export class HonestUser {
  /** Counts of responses that refuse something, by status and code. */
  readonly refused = new Map<string, number>();
  readonly #options: StartOptions;
  #service: Service;
  #pool: Pool;

  private constructor(options: StartOptions, service: Service) {
    this.#options = options;
    this.#service = service;
    this.#pool = new Pool(service.ingress, { connections: CONNECTIONS });
  }

  static async start(prepare: (dataDir: string) => void = () => undefined): Promise<HonestUser> {
    const dataDir = mkdtempSync(join(tmpdir(), 'tributary-honest-'));
    prepare(dataDir);
    const options = { dataDir, port: await freePort(), ingressPort: await freePort() };
    return new HonestUser(options, await startService(options));
  }

  get dataDir(): string {
    return this.#options.dataDir;
  }

  /** Address of the API. */
  get base(): string {
    return this.#service.base;
  }

  /** Ends the service by a signal and starts it again with the same data and addresses. */
  async restart(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#service.process.kill(signal);
    await this.#service.ended;
    this.#service = await startService(this.#options);
  }

  async stop(): Promise<void> {
    await this.#pool.destroy();
    await stopService(this.#service);
    rmSync(this.#options.dataDir, { recursive: true, force: true });
  }

  async source(component_code: string): Promise<Source> {
    const data = await this.post('/sources', { component_code });
    const [value] = Object.values(Endpoint.parse(data).configured_props);
    const { data: endpoint } = EndpointValue.safeParse(value);
    return { id: data.id, path: endpoint ? new URL(endpoint.endpoint_url).pathname : '' };
  }

  /** A webhook that gets the events of some sources. */
  async webhook(url: string, emitterIds: readonly string[]): Promise<string> {
    const { id } = await this.post('/webhooks', { url });
    for (const emitter_id of emitterIds) await this.post('/subscriptions', { emitter_id, listener_id: id });
    return id;
  }

  async post(path: string, body?: unknown): Promise<z.infer<typeof Created>['data']> {
    return Created.parse(await this.#create(path, body)).data;
  }

  /** An address of the source's live stream, with a token. */
  async liveUrl(sourceId: string, body: unknown): Promise<URL> {
    const { data } = Token.parse(await this.#create(`/sources/${sourceId}/sse_tokens`, body));
    return new URL(data.url, this.#service.origin);
  }

  /** A POST to the API. It is repeated while the service is restarted, or a build goes on. */
  async #create(path: string, body: unknown): Promise<unknown> {
    for (const end = Date.now() + REPEATED_FOR_MS; ; await pause()) {
      const response = await this.#api('POST', path, body).catch(() => undefined);
      if (response?.status === 200) return JSON.parse(response.text);
      const code = response && codeOf(response.text);
      const isRepeated = response === undefined || response.status === UNAVAILABLE;
      if (!isRepeated || Date.now() > end) {
        this.#refuse(`${response?.status ?? 'no response'} ${code ?? ''}`);
        throw new Error(`POST ${path}: ${response?.status} ${response?.text}`);
      }
    }
  }

  /** A request to an endpoint, repeated until there is a response. */
  async send(path: string, body: unknown): Promise<void> {
    for (const end = Date.now() + REPEATED_FOR_MS; ; await pause()) {
      try {
        const response = await this.#pool.request({
          method: 'POST',
          path,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        const text = await response.body.text();
        if (response.statusCode === UNAVAILABLE && Date.now() < end) continue;
        if (response.statusCode !== 200) this.#refuse(`${response.statusCode} ${codeOf(text) ?? ''}`);
        return;
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
  }

  /** Error codes of the events of `$errors`. */
  async errorsOf(sourceId: string): Promise<unknown[]> {
    const events = await this.eventsOf(sourceId, '$errors');
    return events.map(({ event }) => ErrorEvent.parse(event).error['code']);
  }

  /** The last 100 events of a stream. The request is repeated while the service is restarted. */
  async eventsOf(sourceId: string, stream: string): Promise<z.infer<typeof Events>['data']> {
    const query = new URLSearchParams({ event_name: stream, limit: '100', expand: 'event' });
    const path = `/sources/${sourceId}/event_summaries?${String(query)}`;
    for (const end = Date.now() + REPEATED_FOR_MS; ; await pause()) {
      const response = await this.#api('GET', path).catch(() => undefined);
      if (response?.status === 200) return Events.parse(JSON.parse(response.text)).data;
      if (Date.now() > end) throw new Error(`GET ${path}: ${response?.status} ${response?.text}`);
    }
  }

  async #api(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
    const response = await fetch(`${this.#service.base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${TEST_KEY}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  }

  #refuse(what: string): void {
    this.refused.set(what, (this.refused.get(what) ?? 0) + 1);
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

function codeOf(text: string): string | undefined {
  try {
    return Problem.safeParse(JSON.parse(text)).data?.code;
  } catch {
    return undefined;
  }
}
