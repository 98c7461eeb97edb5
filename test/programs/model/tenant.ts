import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { ODD_FILTER } from './components.ts';
import { type Change, History, type Request } from './history.ts';
import type { SeenDelivery } from './promises.ts';
import { type HttpResponse, Requests } from './requests.ts';
import type { Behaviour, WebhookResponses } from './webhook-responses.ts';

export interface Emitter {
  readonly id: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly kind: 'remembering' | 'pass-through' | 'workflow';
}

/** The streams of the model. A pass-through source has only the first one. */
export const STREAMS = ['default', 'other'] as const;
export type Stream = (typeof STREAMS)[number];

export interface Webhook {
  readonly id: string;
  readonly path: string;
  /** All secrets that the service gave it. */
  readonly secrets: string[];
  /** The response of a rotation was lost, so that the webhook may have a secret that nobody knows. */
  hasUnknownSecret: boolean;
  /** The redeliveries that the service acknowledged, with the attempts before them. */
  readonly redelivered: { readonly event: string; readonly attempts: number }[];
}

export interface TenantOptions {
  /** Ends in `/v1`. */
  base: string;
  key: string;
  responses: WebhookResponses;
  /** Ids of the components of each kind. */
  components: Readonly<Record<'remembering' | 'pass-through' | 'listening', string>>;
  workflow?: { readonly id: string; readonly credential: string };
}

const Created = z.object({
  data: z.object({
    id: z.string(),
    secret: z.string().optional(),
    configured_props: z.looseObject({}).optional(),
  }),
});
const Deliveries = z.object({ data: z.array(z.object({ id: z.string() })) });
const Redelivered = z.object({
  data: z.object({ emit_id: z.string(), event_id: z.string(), attempts: z.number() }),
});
const Endpoint = z.object({ http: z.object({ endpoint_url: z.string() }) });

const WORKFLOW_ATTEMPTS = 4;

/** One user of the service, with everything that it made and asked for. */
export class Tenant {
  readonly history = new History();
  readonly emitters: Emitter[] = [];
  /** Sources that listen to other emitters. */
  readonly listeners: string[] = [];
  readonly webhooks: Webhook[] = [];
  readonly requests: Requests;
  readonly #options: TenantOptions;
  #numbers = 0;

  constructor(options: TenantOptions) {
    this.#options = options;
    this.requests = new Requests(options);
    const { workflow, base } = options;
    if (!workflow) return;
    this.#isMade(workflow.id);
    this.emitters.push({
      id: workflow.id,
      url: base.replace(/v1$/, `workflows/${workflow.id}/emits`),
      headers: { authorization: `Bearer ${workflow.credential}` },
      kind: 'workflow',
    });
  }

  get sourceIds(): string[] {
    const emitters = this.emitters.filter(({ kind }) => kind !== 'workflow');
    return [...emitters.map(({ id }) => id), ...this.listeners];
  }

  async createSource(kind: 'remembering' | 'pass-through' | 'listening'): Promise<void> {
    const body = { component_id: this.#options.components[kind], name: `${kind} ${randomUUID()}` };
    const { status, text } = await this.requests.call('POST', '/sources', body);
    if (status !== 200) return;
    const { id, configured_props: props } = Created.parse(JSON.parse(text)).data;
    this.#isMade(id);
    if (kind === 'listening') this.listeners.push(id);
    else this.emitters.push({ id, url: Endpoint.parse(props).http.endpoint_url, headers: {}, kind });
  }

  async createWebhook(behaviour: Behaviour, more: { rate_limit?: number } = {}): Promise<void> {
    const { responses } = this.#options;
    const path = randomUUID();
    const { status, text } = await this.requests.call('POST', '/webhooks', {
      url: responses.open(path, behaviour),
      ...more,
    });
    if (status !== 200) return;
    const { id, secret = '' } = Created.parse(JSON.parse(text)).data;
    this.#isMade(id);
    this.webhooks.push({ id, path, secrets: [secret], hasUnknownSecret: false, redelivered: [] });
  }

  /** Sends an event to an emitter. A workflow repeats a failed request with the same idempotency key. */
  async send({ id, url, headers, kind }: Emitter, { stream, pad }: { stream: Stream; pad: string }) {
    const n = `n${(this.#numbers += 1)}`;
    const isWorkflow = kind === 'workflow';
    const sent = this.history.beginSent({
      n,
      emitterId: id,
      stream: kind === 'pass-through' ? 'default' : stream,
    });
    const query = isWorkflow && stream !== 'default' ? `?event_name=${stream}` : '';
    const body = { n, pad, ...(stream === 'default' || isWorkflow ? {} : { stream }) };
    await this.history.record(sent, async () => {
      for (let attempts = isWorkflow ? WORKFLOW_ATTEMPTS : 1; attempts > 0; attempts -= 1) {
        const { status } = await this.requests.post(url + query, body, { 'idempotency-key': n, ...headers });
        if (status === 200) return true;
      }
      return false;
    });
  }

  /** The same subscription with another filter replaces the filter. */
  async subscribe(emitter: string, listenerId: string, stream: Stream, isFiltered = false): Promise<void> {
    const change = this.history.beginSubscription({ emitter, listenerId, stream }, 'on', isFiltered);
    const query = {
      emitter_id: emitter,
      listener_id: listenerId,
      event_name: stream,
      ...(isFiltered ? { filter: ODD_FILTER } : {}),
    };
    await this.#record(change, [200], () => this.requests.call('POST', '/subscriptions', query));
  }

  async unsubscribe(emitter: string, listenerId: string, stream: Stream): Promise<void> {
    const change = this.history.beginSubscription({ emitter, listenerId, stream }, 'off');
    const query = { emitter_id: emitter, listener_id: listenerId, event_name: stream };
    await this.#record(change, [204, 404], () =>
      this.requests.call('DELETE', `/subscriptions?${String(new URLSearchParams(query))}`),
    );
  }

  async deleteWebhook({ id }: Webhook): Promise<void> {
    await this.#record(this.history.beginLife(id, 'off'), [204, 404], () =>
      this.requests.call('DELETE', `/webhooks/${id}`),
    );
  }

  switchWebhook({ id }: Webhook, active: boolean): Promise<HttpResponse> {
    return this.requests.call('PUT', `/webhooks/${id}`, { active });
  }

  async rotateSecret(webhook: Webhook): Promise<void> {
    const { status, text } = await this.requests.call('POST', `/webhooks/${webhook.id}/secret`);
    const { secret } = status === 200 ? Created.parse(JSON.parse(text)).data : {};
    if (secret === undefined) webhook.hasUnknownSecret = true;
    else webhook.secrets.push(secret);
  }

  /** Sends one of the webhook's newest deliveries again. */
  async redeliver({ id, redelivered }: Webhook, pick: number): Promise<void> {
    const { status, text } = await this.requests.call('GET', `/webhooks/${id}/deliveries?limit=100`);
    const deliveries = status === 200 ? Deliveries.parse(JSON.parse(text)).data : [];
    const delivery = deliveries[pick % Math.max(deliveries.length, 1)];
    if (!delivery) return;
    const path = `/webhooks/${id}/deliveries/${delivery.id}/redeliver`;
    const response = await this.requests.call('POST', path);
    if (response.status !== 202) return;
    const { data } = Redelivered.parse(JSON.parse(response.text));
    redelivered.push({ event: `${data.emit_id} ${data.event_id}`, attempts: data.attempts });
  }

  /** Sends everything again that the webhook did not accept since this time, epoch ms. */
  recover({ id }: Webhook, since: number): Promise<HttpResponse> {
    return this.requests.call('POST', `/webhooks/${id}/recover`, { since });
  }

  /** Without an effect on its events. */
  async updateSource(id: string): Promise<void> {
    await this.requests.call('PUT', `/sources/${id}`, { configured_props: { note: randomUUID() } });
  }

  async deleteSource(id: string): Promise<void> {
    await this.#record(this.history.beginLife(id, 'off'), [204, 404], () =>
      this.requests.call('DELETE', `/sources/${id}`),
    );
  }

  async deleteEvents(id: string): Promise<void> {
    await this.#record(this.history.beginDeletion(id), [202], () =>
      this.requests.call('DELETE', `/sources/${id}/events`),
    );
  }

  /** The webhook answered 410: the service switches it off. */
  goneAt(path: string): void {
    const webhook = this.webhooks.find((each) => each.path === path);
    if (webhook) this.history.beginLife(webhook.id, 'off');
  }

  deliveries(): SeenDelivery[] {
    return this.webhooks.flatMap(({ id, path }) => this.#options.responses.deliveriesOf(path, id));
  }

  #isMade(id: string): void {
    const change = this.history.beginLife(id, 'on');
    Object.assign(change, { endedAt: change.startedAt, isAcknowledged: true } satisfies Partial<Change>);
  }

  #record(request: Request, acknowledging: readonly number[], call: () => Promise<{ status: number }>) {
    return this.history.record(request, async () => acknowledging.includes((await call()).status));
  }
}
