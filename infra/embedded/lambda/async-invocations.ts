import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../clock.ts';
import type { Disk } from '../disk.ts';
import type { Chain } from './chain.ts';
import type { FunctionHost } from './function-host.ts';
import type { Invocation } from './invocation.ts';
import type { Outcome } from './outcome.ts';

/** Waits before the second and third attempt. https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html */
const RETRY_DELAYS_MS = [60_000, 120_000];
const PREFIX = 'l/';

const Waiting = z.object({
  functionName: z.string(),
  /** The event as JSON, so that every attempt gets its own copy. */
  payload: z.string(),
  tenantId: z.string().optional(),
  chain: z.array(z.tuple([z.string(), z.number()])),
  tries: z.number(),
  dueAt: z.number(),
});
type Waiting = z.infer<typeof Waiting>;

interface AsyncInvocationsOptions {
  disk: Disk;
  clock: Clock;
  hostOf: (functionName: string) => FunctionHost | undefined;
}

/** Asynchronous invocations. An accepted invocation is on disk, and is attempted up to three times, also after a restart. */
export class AsyncInvocations {
  readonly #options: AsyncInvocationsOptions;
  readonly #cancels = new Map<string, () => void>();

  constructor(options: AsyncInvocationsOptions) {
    this.#options = options;
  }

  /** Loads the invocations that an earlier process did not finish. */
  async load(): Promise<void> {
    for await (const [key, text] of this.#options.disk.entries(PREFIX))
      this.#wait(key, Waiting.parse(JSON.parse(text)));
  }

  async accept(invocation: {
    functionName: string;
    payload: string;
    tenantId: string | undefined;
    chain: Chain;
  }): Promise<void> {
    const { disk, clock } = this.#options;
    const waiting: Waiting = { ...invocation, chain: [...invocation.chain], tries: 0, dueAt: clock.now() };
    const key = PREFIX + randomUUID();
    disk.put(key, JSON.stringify(waiting));
    await disk.commit();
    this.#wait(key, waiting);
  }

  stop(): void {
    for (const cancel of this.#cancels.values()) cancel();
    this.#cancels.clear();
  }

  #wait(key: string, waiting: Waiting): void {
    const due = () => {
      this.#cancels.delete(key);
      void this.#run(key, waiting);
    };
    this.#cancels.set(key, this.#options.clock.wakeAt(waiting.dueAt, due));
  }

  async #run(key: string, waiting: Waiting): Promise<void> {
    const { disk, clock, hostOf } = this.#options;
    const host = hostOf(waiting.functionName);
    const { payload, tenantId } = waiting;
    const invocation = { event: JSON.parse(payload) as unknown, tenantId, chain: new Map(waiting.chain) };
    const outcome = host && (await outcomeOf(host, invocation));
    const delay = RETRY_DELAYS_MS[waiting.tries];
    if (!host || outcome?.ok || waiting.tries >= host.spec.asyncRetries || delay === undefined) {
      disk.del(key);
    } else {
      const next = { ...waiting, tries: waiting.tries + 1, dueAt: clock.now() + delay };
      disk.put(key, JSON.stringify(next));
      this.#wait(key, next);
    }
    await disk.commit();
  }
}

/** Undefined if the call did not reach the function. */
async function outcomeOf(host: FunctionHost, invocation: Invocation): Promise<Outcome | undefined> {
  try {
    return await host.invoke(invocation);
  } catch {
    return undefined;
  }
}
