/** A call to a store or a queue. */
interface Operation {
  name: string;
  /** Number of the call, from 0. */
  index: number;
}

class ProcessDied extends Error {}

interface DyingOptions {
  /** Waits before a call, and before its result is known. */
  pause?: () => Promise<void>;
  /** Decides whether the process dies at a call: before it takes effect, or after. */
  diesAt?: (operation: Operation) => 'before' | 'after' | undefined;
}

const CALLS: Readonly<Record<string, readonly string[]>> = {
  emitters: ['load', 'save', 'remove'],
  events: ['store', 'items', 'remove', 'addStreams', 'forgetStreams'],
  backlogs: ['begin', 'add', 'saveDrained', 'end'],
  waitingTriggers: ['put', 'remove', 'first', 'next'],
  bucket: ['putText', 'delete'],
  sources: ['swap', 'remove'],
};
const FUNCTIONS = ['sendDrain', 'sendDeliveries', 'runJobs'];

/** The services of a process that may die at each of its calls. After that, none of its calls has an effect. */
export function dyingProcess<Services extends object>(
  services: Services,
  { pause = () => Promise.resolve(), diesAt = () => undefined }: DyingOptions,
): { services: Services; died: () => boolean; calls: () => number } {
  let calls = 0;
  let isDead = false;
  const wrapped =
    (name: string, call: (...input: unknown[]) => Promise<unknown>) =>
    async (...input: unknown[]): Promise<unknown> => {
      await pause();
      if (isDead) throw new ProcessDied(name);
      const death = diesAt({ name, index: calls++ });
      if (death === 'before') isDead = true;
      if (isDead) throw new ProcessDied(name);
      const result = await call(...input);
      if (death === 'after') isDead = true;
      await pause();
      if (isDead) throw new ProcessDied(name);
      return result;
    };
  const copy = { ...services } as Record<string, unknown>;
  for (const [name, methods] of Object.entries(CALLS)) {
    const store = { ...(copy[name] as Record<string, (...input: unknown[]) => Promise<unknown>>) };
    for (const method of methods) {
      const call = store[method];
      if (call) store[method] = wrapped(`${name}.${method}`, call);
    }
    copy[name] = store;
  }
  for (const name of FUNCTIONS) copy[name] = wrapped(name, copy[name] as (...input: unknown[]) => Promise<unknown>);
  return { services: copy as Services, died: () => isDead, calls: () => calls };
}
