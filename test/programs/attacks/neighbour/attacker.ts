import { request, type Agent } from 'node:http';
import * as z from 'zod';
import { startSink } from '../../bench/raw-http.ts';
import { until } from '../../../support/until.ts';

export interface Answered {
  status: number;
  text: string;
}

export interface AttackedService {
  /** `http://127.0.0.1:<port>/v1` */
  base: string;
  ingress: string;
}

interface SourceParts {
  imports?: string;
  /** Text of the object. */
  props?: string;
  values?: object;
}

const Created = z.object({ data: z.object({ id: z.string() }) });
const Listed = z.object({ data: z.array(z.object({ id: z.string() })) });

/** An ordinary user of the service: what it can send with its key. */
export class Attacker {
  readonly service: AttackedService;
  readonly key: string;

  constructor(service: AttackedService, key: string) {
    this.service = service;
    this.key = key;
  }

  /** The response, or status 0 when the service closed the connection: an attacker does not mind. */
  send(method: string, path: string, body?: unknown, agent?: Agent): Promise<Answered> {
    return new Promise((resolve) => {
      const headers = { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' };
      const sent = request(`${this.service.base}${path}`, { method, headers, agent }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('close', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      sent.on('error', () => resolve({ status: 0, text: '' }));
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  async create(path: string, body: unknown): Promise<string> {
    const { status, text } = await this.send('POST', path, body);
    if (status !== 200) throw new Error(`POST ${path}: ${status} ${text}`);
    return Created.parse(JSON.parse(text)).data.id;
  }

  /** A source whose `run` has this body. */
  source(body: string, { imports = '', props = '{}', values = {} }: SourceParts = {}): Promise<string> {
    return this.create('/sources', {
      component_code: `${imports} export default { name: 'Attack', version: '0.0.1', props: ${props}, async run(event) { ${body} } };`,
      configured_props: values,
    });
  }

  /** Several of the same. */
  sources(count: number, body: string, parts?: SourceParts): Promise<string[]> {
    return Promise.all(Array.from({ length: count }, () => this.source(body, parts)));
  }

  run(sourceId: string, event: unknown = {}): Promise<Answered> {
    return this.send('POST', `/sources/${sourceId}/run`, event);
  }

  subscribe(emitterId: string, listenerId: string): Promise<unknown> {
    return this.create('/subscriptions', { emitter_id: emitterId, listener_id: listenerId });
  }

  /** A receiver that answers 200 and counts, as a webhook of the user. */
  async countingWebhook(): Promise<{ id: string; received: () => number; stop: () => void }> {
    const sink = await startSink();
    let received = 0;
    sink.onBody = () => (received += 1);
    return {
      id: await this.create('/webhooks', { url: sink.url }),
      received: () => received,
      stop: sink.stop,
    };
  }

  /** Deletes every source and webhook. */
  async leave(): Promise<void> {
    for (const kind of ['sources', 'webhooks'])
      await until(`no ${kind} are left`, async () => {
        const { status, text } = await this.send('GET', `/users/me/${kind}?limit=100`);
        if (status !== 200) return false;
        const { data } = Listed.parse(JSON.parse(text));
        await Promise.all(data.map(({ id }) => this.send('DELETE', `/${kind}/${id}`)));
        return data.length === 0;
      });
  }
}
