import { randomUUID } from 'node:crypto';
import { AwsError } from '../call.ts';
import { Deadlines } from '../deadlines.ts';
import type { Faults } from '../faults.ts';
import type { FunctionSpec } from './function-spec.ts';
import type { Invocation } from './invocation.ts';
import { functionError, type Outcome, timedOut } from './outcome.ts';
import type { Instance, Runtime } from './runtime.ts';

/** AWS ends idle instances after some minutes; the number is not documented. */
const IDLE_MS = 10 * 60_000;

interface FunctionHostOptions {
  spec: FunctionSpec;
  faults: Faults;
  runtime: Runtime;
  /** Called before an instance is made. */
  onStart: () => void;
  onFailure: (outcome: Outcome & { ok: false }) => void;
}

/** The instances for one tenant of a function, or for all its callers. */
interface Slot {
  readonly instances: [Instance?, Instance?];
  current: 0 | 1;
  running: number;
  lastUsedAt: number;
}

/**
 * Runs one function. Time limits use real time, because the code's own timers do. Code that exceeds its limit keeps
 * running, but its instance gets no further invocation.
 */
export class FunctionHost {
  readonly spec: FunctionSpec;
  running = 0;
  readonly #options: FunctionHostOptions;
  readonly #slots = new Map<string, Slot>();
  readonly #deadlines: Deadlines;

  constructor(options: FunctionHostOptions) {
    this.#options = options;
    this.spec = options.spec;
    this.#deadlines = new Deadlines(options.spec.timeoutMs);
  }

  get codeSha256(): string | undefined {
    return this.#options.runtime.codeSha256;
  }

  /** Throws synchronously if the call does not reach the function: it is throttled, or lacks its tenant. */
  invoke(invocation: Invocation): Promise<Outcome> {
    this.#admit(invocation);
    return this.#start(invocation);
  }

  /** Loads the code before the first invocation. That invocation reports a load error. */
  warm(): void {
    if (this.spec.perTenant) return;
    try {
      this.#instanceOf(this.#slotOf(''));
    } catch {
      // The first invocation loads the code again and answers with the error.
    }
  }

  dropIdle(): void {
    if (!this.spec.perTenant) return;
    for (const [tenant, slot] of this.#slots) {
      if (slot.running > 0 || Date.now() - slot.lastUsedAt < IDLE_MS) continue;
      this.#slots.delete(tenant);
      for (const instance of slot.instances) instance?.dispose();
    }
  }

  dispose(): void {
    for (const { instances } of this.#slots.values()) for (const instance of instances) instance?.dispose();
    this.#slots.clear();
  }

  async #start(invocation: Invocation): Promise<Outcome> {
    const slot = this.#slotOf(invocation.tenantId ?? '');
    this.running += 1;
    slot.running += 1;
    try {
      const outcome = await this.#run(slot, invocation);
      if (!outcome.ok) this.#options.onFailure(outcome);
      return outcome;
    } finally {
      this.running -= 1;
      slot.running -= 1;
      slot.lastUsedAt = Date.now();
    }
  }

  #admit({ tenantId }: Invocation): void {
    const { perTenant, reservedConcurrency } = this.spec;
    if (perTenant && tenantId === undefined) {
      throw new AwsError(
        'InvalidParameterValueException',
        'The invoked function is enabled with tenancy configuration. Add a valid tenant ID in your request and try again.',
      );
    }
    if (!perTenant && tenantId !== undefined) {
      throw new AwsError(
        'InvalidParameterValueException',
        'The invoked function is not enabled with tenancy configuration. Remove the tenant ID from your request and try again.',
      );
    }
    if (reservedConcurrency !== undefined && this.running >= reservedConcurrency) {
      const members = { Reason: 'ReservedFunctionConcurrentInvocationLimitExceeded', Type: 'User' };
      throw new AwsError('TooManyRequestsException', 'Rate Exceeded.', { statusCode: 429, members });
    }
  }

  async #run(slot: Slot, invocation: Invocation): Promise<Outcome> {
    let instance: Instance;
    try {
      instance = this.#instanceOf(slot);
    } catch (thrown) {
      return { ok: false, error: functionError(thrown) };
    }
    const requestId = randomUUID();
    const outcome = await this.#deadlines.within<Outcome>(instance.run(invocation, requestId), () => {
      this.#drop(slot, instance);
      return { ok: false, error: timedOut(requestId, this.spec.timeoutMs) };
    });
    if (!outcome.ok && outcome.error.errorType === 'Runtime.ExitError') this.#drop(slot, instance);
    return outcome;
  }

  #instanceOf(slot: Slot): Instance {
    if (this.#options.faults.inject('other-instance')) slot.current = slot.current === 0 ? 1 : 0;
    const known = slot.instances[slot.current];
    if (known) return known;
    this.#options.onStart();
    return (slot.instances[slot.current] = this.#options.runtime.instance());
  }

  #slotOf(tenant: string): Slot {
    let slot = this.#slots.get(tenant);
    if (!slot) this.#slots.set(tenant, (slot = { instances: [], current: 0, running: 0, lastUsedAt: Date.now() }));
    return slot;
  }

  #drop(slot: Slot, instance: Instance): void {
    const index = slot.instances.indexOf(instance);
    if (index >= 0) slot.instances[index] = undefined;
    instance.dispose();
  }
}
