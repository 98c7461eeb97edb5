import type { Receiver } from '../../support/receiver.ts';
import { numberOf } from './components.ts';
import type { SeenDelivery } from './promises.ts';

/**
 * How the other end of a webhook answers while faults happen. Afterwards every webhook but one that is gone answers
 * 200.
 */
export const BEHAVIOURS = ['good', 'flaky', 'failing', 'gone'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** A webhook that is gone says so from its third request on. */
const GONE_AFTER = 2;

/** One request that a webhook received. */
interface ReceivedRequest {
  /** Emit id and event id. */
  readonly event: string;
  readonly emitterId: string;
  readonly stream: string;
  readonly n: string;
  readonly status: number;
  readonly isCalm: boolean;
  readonly signatures: string;
  /** The text that is signed. */
  readonly signed: string;
}

interface End {
  readonly behaviour: Behaviour;
  readonly deliveries: SeenDelivery[];
  /** Number of each id, from 1 on in the order of their first requests. */
  readonly ids: Map<string, number>;
  readonly received: ReceivedRequest[];
  requests: number;
}

/** The other ends of all webhooks of a test: one server, one path for each webhook. */
export class WebhookResponses {
  readonly #receiver: Receiver;
  readonly #ends = new Map<string, End>();
  /** Whether webhooks answer as they like. */
  isFaulty = true;
  /** Whether all work of the storm has ended. */
  isCalm = false;
  /** Called when a webhook answers that it is gone. */
  onGone: (path: string) => void = () => undefined;

  constructor(receiver: Receiver) {
    this.#receiver = receiver;
    receiver.respond = (_index, request) => {
      const path = request.url.split('/').at(-1) ?? '';
      const end = this.#ends.get(path);
      if (!end) return { status: 404 };
      const emitId = String(request.headers['webhook-id']);
      const status = this.#statusOf(path, end, emitId);
      const event = {
        emitterId: String(request.headers['x-tributary-emitter']),
        stream: String(request.headers['x-tributary-event-name']),
        n: numberOf(JSON.parse(request.body)),
      };
      end.received.push({
        ...event,
        event: `${emitId} ${String(request.headers['x-tributary-event-id'])}`,
        status,
        isCalm: this.isCalm,
        signatures: String(request.headers['webhook-signature']),
        signed: `${emitId}.${String(request.headers['webhook-timestamp'])}.${request.body}`,
      });
      if (status === 200) {
        end.deliveries.push({ listenerId: path, ...event });
      }
      return { status };
    };
  }

  /** The URL of a new webhook. */
  open(path: string, behaviour: Behaviour): string {
    this.#ends.set(path, { behaviour, deliveries: [], ids: new Map(), received: [], requests: 0 });
    return `${this.#receiver.url}/${path}`;
  }

  /** The deliveries that the webhook accepted, under the webhook's id. */
  deliveriesOf(path: string, listenerId: string): SeenDelivery[] {
    return (this.#ends.get(path)?.deliveries ?? []).map((delivery) => ({ ...delivery, listenerId }));
  }

  /** All requests to a webhook. */
  requestsOf(path: string): readonly ReceivedRequest[] {
    return this.#ends.get(path)?.received ?? [];
  }

  /** Whether the webhook answered that it is gone. */
  isGone(path: string): boolean {
    return this.requestsOf(path).some(({ status }) => status === 410);
  }

  /**
   * A flaky webhook refuses the first request of every second event, and every request of every ninth: that one waits
   * for half an hour.
   */
  #statusOf(path: string, end: End, id: string): number {
    const isFirst = !end.ids.has(id);
    if (isFirst) end.ids.set(id, end.ids.size + 1);
    const number = end.ids.get(id) ?? 0;
    end.requests += 1;
    if (end.behaviour === 'gone' && end.requests > GONE_AFTER) {
      this.onGone(path);
      return 410;
    }
    if (!this.isFaulty) return 200;
    if (end.behaviour === 'failing') return 500;
    if (end.behaviour !== 'flaky') return 200;
    return number % 9 === 0 || (isFirst && number % 2 === 0) ? 503 : 200;
  }
}
