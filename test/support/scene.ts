import { inject, onTestFinished } from 'vitest';
import { type ApiClient, apiClient } from './api-client.ts';
import { type TestCloud, type TestCloudOptions, startTestCloud } from './cloud.ts';
import { Receiver } from './receiver.ts';
import { until } from './until.ts';

export interface Summary {
  id: string;
  indexed_at_ms: number;
  // Tests read what they expect and fail where it is not.
  // oxlint-disable-next-line typescript/no-explicit-any
  event: any;
  metadata: { emit_id: string; name: string; emitter_id: string; id?: string; summary?: string; ts?: number };
}

export interface Deployed {
  readonly id: string;
  /** URL of the first HTTP interface, empty without one. */
  readonly endpoint: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
}

export interface Hook {
  readonly id: string;
  readonly secret: string;
  readonly receiver: Receiver;
}

/** Emits the body, on the stream that the body names. */
export const ECHO = `export default {
  name: 'Echo', version: '0.0.1', props: { http: '$.interface.http' },
  run({ body }) { this.$emit(body.event ?? body, { name: body.stream, id: body.id, summary: body.summary, ts: body.ts }); },
};`;

/** Emits its event, wherever it comes from. */
export const PASS = `export default { name: 'Pass', version: '0.0.1', run(event) { this.$emit(event); } };`;

/** The same without code of its own, so that no process runs it. */
export const RELAY = `export default { name: 'Relay', version: '0.0.1' };`;

/** A cloud and its first user's view of it: what tests do again and again, over the public interface only. */
export class Scene {
  readonly cloud: TestCloud;
  readonly api: ApiClient;
  /** Environment of commands of the user. */
  readonly env: Readonly<Record<string, string>>;

  private constructor(cloud: TestCloud, api: ApiClient) {
    this.cloud = cloud;
    this.api = api;
    this.env = { TRIBUTARY_URL: cloud.origin, TRIBUTARY_API_KEY: cloud.key };
  }

  static async open(options: TestCloudOptions = {}): Promise<Scene> {
    const cloud = await startTestCloud(options);
    return new Scene(cloud, await apiClient(cloud.base, cloud.key));
  }

  /** Whether a function is at work now. */
  readonly isBusy = (): boolean => [...this.cloud.cloud.functions.values()].some(({ running }) => running > 0);

  /** Whether every accepted trigger is done and acknowledged. */
  readonly isThrough = async (): Promise<boolean> => {
    const { services, open } = this.cloud.cloud;
    const name = open.outputs['RunsQueueUrl']?.replace(/^.*\//, '') ?? '';
    const { visible, inFlight, delayed } = services.sqs.countsOf(`arn:aws:sqs:us-east-1:000000000000:${name}`);
    return Promise.resolve(visible + inFlight + delayed === 0);
  };

  async close(): Promise<void> {
    await this.cloud.stop();
  }

  async source(code: string, more: Record<string, unknown> = {}): Promise<Deployed> {
    return this.deploy({ component_code: code, ...more });
  }

  /** On a slow machine a build with packages may take longer than a response: then the repeated request succeeds. */
  async deploy(body: Record<string, unknown>): Promise<Deployed> {
    const {
      status,
      body: response,
      text,
    } = await until('the component is built', async () => {
      const response = await this.api.post('/sources', body);
      return response.body?.code !== 'still_building' && response;
    });
    if (status !== 200) throw new Error(`POST /sources: ${status} ${text}`);
    return deployed(response.data);
  }

  /** A webhook whose other end stops with the test. */
  async webhook(receiver?: Receiver): Promise<Hook> {
    const other = receiver ?? (await Receiver.start());
    if (!receiver) onTestFinished(() => other.stop());
    const { status, body, text } = await this.api.post('/webhooks', undefined, { query: { url: other.url } });
    if (status !== 200) throw new Error(`POST /webhooks: ${status} ${text}`);
    return { id: body.data.id, secret: body.data.secret, receiver: other };
  }

  async subscribe(emitter: string, listener: string, eventName?: string): Promise<string> {
    const query = {
      emitter_id: emitter,
      listener_id: listener,
      ...(eventName === undefined ? {} : { event_name: eventName }),
    };
    const { status, body, text } = await this.api.post('/subscriptions', undefined, { query });
    if (status !== 200) throw new Error(`POST /subscriptions: ${status} ${text}`);
    return body.data.id;
  }

  async send(endpoint: string, body: unknown = {}): Promise<Response> {
    return fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  /** Newest first. */
  async events(id: string, query: Record<string, string | number> = {}): Promise<Summary[]> {
    return this.eventsIn(await this.steady(() => this.readEvents(id, query)));
  }

  private readEvents(id: string, query: Record<string, string | number>) {
    const kind = id.startsWith('p_') ? 'workflows' : 'sources';
    return this.api.get(`/${kind}/${id}/event_summaries`, { limit: 100, ...query });
  }

  private eventsIn({ status, body, text }: Awaited<ReturnType<ApiClient['get']>>): Summary[] {
    if (status !== 200) throw new Error(`event_summaries: ${status} ${text}`);
    return body.data;
  }

  /**
   * Lists of events are eventually consistent: with fault injection, the response on which ten reads in a row agree
   * (all stale: 0.2 to the tenth).
   */
  async steady<A extends { text: string }>(read: () => Promise<A>): Promise<A> {
    let response = await read();
    if (inject('faults') === 'none') return response;
    for (let agreed = 0; agreed < 9;) {
      const next = await read();
      agreed = next.text === response.text ? agreed + 1 : 0;
      response = next;
    }
    return response;
  }

  /** Waits until a stream has at least `count` events. */
  async eventsOf(id: string, count: number, query: Record<string, string | number> = {}): Promise<Summary[]> {
    let last: Summary[] = [];
    return until(
      `${count} events of ${id}`,
      async () => {
        last = this.eventsIn(await this.readEvents(id, query));
        if (last.length < count) return false;
        last = await this.events(id, query);
        return last.length >= count && last;
      },
      { everyMs: 30 },
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}; there are ${last.length}: ${JSON.stringify(last).slice(0, 1_000)}`);
    });
  }

  async errorsOf(id: string, count = 1): Promise<Summary[]> {
    return this.eventsOf(id, count, { event_name: '$errors', expand: 'event' });
  }
}

// oxlint-disable-next-line typescript/no-explicit-any
export function deployed(data: any): Deployed {
  const values = Object.values(data.configured_props ?? {}) as ({ endpoint_url?: string } | null)[];
  return { id: data.id, endpoint: values.find((value) => value?.endpoint_url)?.endpoint_url ?? '', data };
}
