import {
  type CallFault,
  callFaults,
  type Faults,
  type FaultyCall,
  randomFaults,
} from '../../../infra/embedded/faults.ts';

/** A time in which every call of a kind fails. */
export type Outage = Pick<FaultyCall, 'caller' | 'service'>;

/** Chances of each fault of a call. A death is rare, because a new instance of a function takes 50 ms of CPU. */
const CALL_CHANCES: Readonly<Record<CallFault, number>> = {
  throttled: 0.015,
  failed: 0.015,
  'response-lost': 0.015,
  repeated: 0.02,
  'died-before': 0.002,
  'died-after': 0.003,
};

/** Chances of the faults that AWS allows itself without any failure. */
const CHANCES = {
  'stale-read': 0.2,
  'unprocessed-item': 0.03,
  'transaction-conflict': 0.03,
  'other-order': 0.2,
  'repeated-message': 0.05,
  'reordered-message': 0.1,
  'refused-entry': 0.03,
  'mixed-groups': 1,
  'late-schedule': 0.5,
  'repeated-schedule': 0.5,
  'other-instance': 0.1,
} as const;

/**
 * The faults of one seed after the other. The fault of a call depends on the seed, the caller, the operation and the
 * number of such calls before, not on what other callers do meanwhile: a seed repeats most of its faults although real
 * sockets and processes take part.
 */
export class SeededFaults implements Faults {
  /** Calls for which the seed decided whether they have a fault. */
  points = 0;
  readonly injected: Record<CallFault | 'outage', number> = {
    throttled: 0,
    failed: 0,
    'response-lost': 0,
    repeated: 0,
    'died-before': 0,
    'died-after': 0,
    outage: 0,
  };
  outage: Outage | undefined;
  #seed: number | undefined;
  #others = randomFaults(0, {});
  readonly #calls = new Map<string, number>();

  /** Faults happen from now on. */
  begin(seed: number): void {
    this.#seed = seed;
    this.#others = randomFaults(seed, CHANCES);
    this.#calls.clear();
  }

  /** No fault happens from now on. */
  end(): void {
    this.#seed = undefined;
    this.outage = undefined;
    this.#others = randomFaults(0, {});
  }

  get counts(): Faults['counts'] {
    return this.#others.counts;
  }

  inject(kind: Parameters<Faults['inject']>[0]): boolean {
    return this.#others.inject(kind);
  }

  ofCall({ caller, service, operation }: FaultyCall): CallFault | undefined {
    if (this.#seed === undefined) return undefined;
    if (this.outage && caller.startsWith(this.outage.caller) && service === this.outage.service) {
      this.injected.outage += 1;
      return 'failed';
    }
    this.points += 1;
    const name = `${caller} ${operation}`;
    const before = this.#calls.get(name) ?? 0;
    this.#calls.set(name, before + 1);
    const fault = chosen(numberOf(`${this.#seed} ${name} ${before}`));
    if (fault !== undefined) this.injected[fault] += 1;
    return fault;
  }
}

function chosen(number: number): CallFault | undefined {
  let sum = 0;
  for (const fault of callFaults) {
    sum += CALL_CHANCES[fault];
    if (number < sum) return fault;
  }
  return undefined;
}

/** A number from 0 to below 1: FNV-1a of the text, mixed so that similar texts have unrelated numbers. */
function numberOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000;
}
