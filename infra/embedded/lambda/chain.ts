import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { Call } from '../call.ts';
import type { FunctionSpec } from './function-spec.ts';

/**
 * The chain of invocations that led to an invocation: a count per function, by the hash of its ARN. Lambda carries the chain as
 * `Lineage` in the trace header and stops a function that occurs about 16 times in its own chain, unless the function allows recursion.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
 */
export type Chain = ReadonlyMap<string, number>;

const MAX_OCCURRENCES = 16;
const NONE: Chain = new Map();

const hashOf = (arn: string) => createHash('sha256').update(arn).digest('hex').slice(0, 8);

export const headerOf = (chain: Chain): string =>
  `Root=1-00000000-000000000000000000000000;Lineage=${[...chain].map(([hash, count]) => `${hash}:${count}`).join('|')}`;

export function chainOf(header: string): Chain {
  const lineage = /Lineage=([^;]*)/.exec(header)?.[1] ?? '';
  const counts = lineage.split('|').map((part) => part.split(':'));
  return new Map(counts.map(([hash = '', count]) => [hash, Number(count)]));
}

/** The chain of an invocation with a batch of messages: the longest chain among the messages. */
export function chainOfRecords(event: unknown): Chain {
  const { Records = [] } = event as { Records?: { attributes?: { AWSTraceHeader?: string } }[] };
  const chains = Records.flatMap(({ attributes }) =>
    attributes?.AWSTraceHeader ? [chainOf(attributes.AWSTraceHeader)] : [],
  );
  return chains.reduce((longest, chain) => (lengthOf(chain) > lengthOf(longest) ? chain : longest), NONE);
}

const lengthOf = (chain: Chain) => Math.max(0, ...chain.values());

/** Chains of direct calls between functions, by the input of the call. */
const chains = new WeakMap<object, Chain>();
export const chainOfCall = (input: object): Chain => chains.get(input) ?? NONE;

/** The chain of the running code. Only functions that could be in a loop use it, because it slows every promise. */
const current = new AsyncLocalStorage<Chain>();

/** Counts the invocations of one function, and passes the chain on to its calls. */
export class ChainTracker {
  readonly #hash: string;
  readonly #mayRecurse: boolean;
  readonly #canInvokeOthers: boolean;
  #isTracking = false;

  constructor(
    { arn, mayRecurse }: Pick<FunctionSpec, 'arn' | 'mayRecurse'>,
    { canInvokeOthers }: { canInvokeOthers: boolean },
  ) {
    this.#hash = hashOf(arn);
    this.#mayRecurse = mayRecurse;
    this.#canInvokeOthers = canInvokeOthers;
  }

  isLoop(chain: Chain): boolean {
    return !this.#mayRecurse && (chain.get(this.#hash) ?? 0) >= MAX_OCCURRENCES;
  }

  /** Runs an invocation as part of a chain. */
  run<T>(chain: Chain, invocation: () => T): T {
    // A function that may recurse only passes existing chains on: a new chain that is never stopped would be wasted work.
    if (!this.#canInvokeOthers || (this.#mayRecurse && chain.size === 0)) return invocation();
    this.#isTracking = true;
    return current.run(new Map(chain).set(this.#hash, (chain.get(this.#hash) ?? 0) + 1), invocation);
  }

  prepare(call: Call): Call {
    const chain = this.#isTracking ? current.getStore() : undefined;
    if (!chain) return call;
    if (call.service === 'Lambda') chains.set(call.input, chain);
    else if (call.service === 'SQS') return { ...call, input: withTraceHeader(call, headerOf(chain)) };
    return call;
  }
}

function withTraceHeader({ operation, input }: Call, header: string): Call['input'] {
  const MessageSystemAttributes = { AWSTraceHeader: { DataType: 'String', StringValue: header } };
  if (operation === 'SendMessage') return { ...input, MessageSystemAttributes };
  if (operation !== 'SendMessageBatch' || !Array.isArray(input['Entries'])) return input;
  return {
    ...input,
    Entries: input['Entries'].map((entry: object) => ({ ...entry, MessageSystemAttributes })),
  };
}
