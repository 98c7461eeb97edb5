import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../clock.ts';
import type { Disk } from '../disk.ts';
import type { Chain } from './chain.ts';
import type { FunctionHost } from './function-host.ts';
import type { Invocation } from './invocation.ts';
import type { Outcome } from './outcome.ts';

/** Waits before the second and third try. https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html */
const RETRY_DELAYS_MS = [60_000, 120_000];
const PREFIX = 'l/';

const Waiting = z.object({
  functionName: z.string(),
  /** The event as JSON, so that every try has its own. */
  payload: z.string(),
  tenantId: z.string().optional(),
  chain: z.array(z.tuple([z.string(), z.number()])),
  tries: z.number(),
  dueAt: z.number(),
});
type Waiting = z.infer<typeof Waiting>;

interface Given {
  disk: Disk;
  clock: Clock;
  hostOf: (functionName: string) => FunctionHost | undefined;
}

/** Asynchronous invocations: accepted once they are on disk, tried up to three times, also across a restart. */
export class AsyncInvocations {
  private readonly given: Given;
  private readonly cancels = new Map<string, () => void>();

  constructor(given: Given) {
    this.given = given;
  }

  /** Takes up what an earlier process left. */
  async load(): Promise<void> {
    for await (const [key, text] of this.given.disk.entries(PREFIX))
      this.wait(key, Waiting.parse(JSON.parse(text)));
  }

  async accept(wanted: {
    functionName: string;
    payload: string;
    tenantId: string | undefined;
    chain: Chain;
  }): Promise<void> {
    const { disk, clock } = this.given;
    const waiting: Waiting = { ...wanted, chain: [...wanted.chain], tries: 0, dueAt: clock.now() };
    const key = PREFIX + randomUUID();
    disk.put(key, JSON.stringify(waiting));
    await disk.commit();
    this.wait(key, waiting);
  }

  stop(): void {
    for (const cancel of this.cancels.values()) cancel();
    this.cancels.clear();
  }

  private wait(key: string, waiting: Waiting): void {
    const due = () => {
      this.cancels.delete(key);
      void this.run(key, waiting);
    };
    this.cancels.set(key, this.given.clock.wakeAt(waiting.dueAt, due));
  }

  private async run(key: string, waiting: Waiting): Promise<void> {
    const { disk, clock, hostOf } = this.given;
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
      this.wait(key, next);
    }
    await disk.commit();
  }
}

/** Undefined where the function was not reached. */
async function outcomeOf(host: FunctionHost, invocation: Invocation): Promise<Outcome | undefined> {
  try {
    return await host.invoke(invocation);
  } catch {
    return undefined;
  }
}
