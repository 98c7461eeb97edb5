import { createHash } from 'node:crypto';
import type { Call } from '../call.ts';
import type { FunctionSpec } from './function-spec.ts';

/**
 * How often each function (by the hash of its ARN) took part in what led to an invocation. Lambda carries it as `Lineage` in
 * the trace header and stops a function that it finds about 16 times in its own chain, unless the function allows it.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
 */
export type Chain = ReadonlyMap<string, number>;

const LONGEST = 16;
const NONE: Chain = new Map();

const hashOf = (arn: string) => createHash('sha256').update(arn).digest('hex').slice(0, 8);

export const headerOf = (chain: Chain): string =>
  `Root=1-00000000-000000000000000000000000;Lineage=${[...chain].map(([hash, count]) => `${hash}:${count}`).join('|')}`;

export function chainOf(header: string): Chain {
  const lineage = /Lineage=([^;]*)/.exec(header)?.[1] ?? '';
  const counts = lineage.split('|').map((part) => part.split(':'));
  return new Map(counts.map(([hash = '', count]) => [hash, Number(count)]));
}

/** What leads to the invocation for a batch of messages: of several chains the longest. */
export function chainOfRecords(event: unknown): Chain {
  const { Records = [] } = event as { Records?: { attributes?: { AWSTraceHeader?: string } }[] };
  const chains = Records.flatMap(({ attributes }) =>
    attributes?.AWSTraceHeader ? [chainOf(attributes.AWSTraceHeader)] : [],
  );
  return chains.reduce((longest, chain) => (lengthOf(chain) > lengthOf(longest) ? chain : longest), NONE);
}

const lengthOf = (chain: Chain) => Math.max(0, ...chain.values());

/** Chains of direct calls from function to function, by the input of the call. */
const carried = new WeakMap<object, Chain>();
export const chainOfCall = (input: object): Chain => carried.get(input) ?? NONE;

/** Counts the invocations of one function, and hands the chain on to the calls it makes. */
export class ChainTracker {
  private readonly hash: string;
  private readonly mayRecurse: boolean;
  private readonly active = new Map<symbol, Chain>();

  constructor({ arn, mayRecurse }: FunctionSpec) {
    this.hash = hashOf(arn);
    this.mayRecurse = mayRecurse;
  }

  isLoop(chain: Chain): boolean {
    return !this.mayRecurse && (chain.get(this.hash) ?? 0) >= LONGEST;
  }

  /** Until the answer is called, the function is running for this chain. */
  enter(chain: Chain): () => void {
    // A function that may recurse only passes on what it is part of: chains that nobody will stop cost nothing.
    if (this.mayRecurse && chain.size === 0) return () => undefined;
    const id = Symbol();
    this.active.set(id, new Map(chain).set(this.hash, (chain.get(this.hash) ?? 0) + 1));
    return () => this.active.delete(id);
  }

  /**
   * An instance serves several invocations at once and a call does not say which of them makes it. A call is counted to the
   * shortest chain, and to none while `running` invocations are more than the chains: nothing is ever stopped by mistake.
   */
  prepare(call: Call, running: number): Call {
    if (this.active.size === 0 || this.active.size < running) return call;
    const chain = [...this.active.values()].reduce((a, b) => (lengthOf(b) < lengthOf(a) ? b : a));
    if (call.service === 'Lambda') carried.set(call.input, chain);
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
