import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  type Chain,
  chainLimit,
  chainOf,
  chainOfNextPage,
  chainsOfEvents,
  MAX_CHAIN_RUNS,
  MAX_HOPS,
  nextChain,
  reportChainOf,
} from '../../../../../shared/domain/run/chain.ts';
import { newId, SourceId, WorkflowId } from '../../../../../shared/domain/id.ts';

const sourceId = () => SourceId.parse(newId('source', Date.now(), randomBytes));
const newChain: Chain = { hops: 0 };
const ONLY = { index: 0, count: 1, hasNextPage: false };
const after = (...emitters: Parameters<typeof nextChain>[1][]): Chain =>
  emitters.reduce<Chain>((chain, emitter) => nextChain(chain, emitter, ONLY), newChain);

describe('a chain', () => {
  test('passes one source twice, and not a third time', () => {
    const [one, two] = [sourceId(), sourceId()];
    expect(chainLimit(after(one, two), one)).toBeUndefined();
    expect(chainLimit(after(one, two, one, two), one)).toContain(`reached ${one} a third time`);
    expect(chainLimit(after(one, one, two), two)).toBeUndefined();
  });

  test('of different sources is cut after 16 hops', () => {
    const many = Array.from({ length: MAX_HOPS }, sourceId);
    expect(chainLimit(after(...many), sourceId())).toBeUndefined();
    expect(chainLimit(after(...many, sourceId()), sourceId())).toContain('16 hops');
  });

  test('counts the hop of a workflow, which is no source', () => {
    const workflow = WorkflowId.parse(newId('workflow', Date.now(), randomBytes));
    expect(nextChain(newChain, workflow, ONLY)).toEqual({ hops: 1, left: MAX_CHAIN_RUNS - 1 });
  });

  test('adds at most 1.2 KB to a message', () => {
    const longest = after(...Array.from({ length: MAX_HOPS }, sourceId));
    const trace = { id: 'a'.repeat(32), flags: '01', state: 's'.repeat(512) };
    expect(JSON.stringify({ ...longest, trace }).length).toBeLessThanOrEqual(1_228);
  });

  test('stays in the trace of its first run, which a repeated run has as well', () => {
    const first = chainOf({ ...newChain, id: 'trigger' });
    expect(chainOf({ ...newChain, id: 'trigger' })).toEqual(first);
    expect(chainOf({ ...newChain, id: 'other' }).trace?.id).not.toBe(first.trace?.id);
    const second = chainOf({ ...nextChain(first, sourceId(), ONLY), id: 'next' });
    expect(second.trace).toEqual(first.trace);
  });

  test('divides its runs among the events of a run, the pages of listeners and the listeners', () => {
    const chain = { hops: 2, left: 11 };
    const leftOf = (chains: readonly Chain[]) => chains.map(({ left }) => left);
    expect(leftOf(chainsOfEvents(chain, ['default', 'other', 'default']))).toEqual([4, 4, 3]);
    expect(chainsOfEvents(chain, ['$logs'])).toEqual([chain]);
    expect(leftOf(chainsOfEvents(chain, ['default', '$errors', '$logs']))).toEqual([10, 1, 0]);
    expect(leftOf(chainsOfEvents({ hops: 0 }, ['default', '$logs']))).toEqual([938, 62]);
    expect(leftOf([{ hops: 0 }, { hops: 1, left: 0 }].map(reportChainOf))).toEqual([62, 0]);
    const rank = (index: number, hasNextPage: boolean) => ({ index, count: 4, hasNextPage });
    expect(leftOf([0, 1, 2, 3].map((at) => nextChain(chain, sourceId(), rank(at, false))))).toEqual([2, 2, 2, 1]);
    expect(leftOf([0, 1, 2, 3].map((at) => nextChain(chain, sourceId(), rank(at, true))))).toEqual([1, 1, 0, 0]);
    expect(chainOfNextPage(chain)).toEqual({ hops: 2, left: 5 });
  });

  test('without runs left is cut, and its report continues nothing', () => {
    const used = nextChain({ hops: 3, left: 0 }, sourceId(), ONLY);
    expect(used.left).toBe(-1);
    expect(chainLimit(used, sourceId())).toContain('at most 1000 runs');
    expect(chainsOfEvents(used, ['$errors', '$logs'])).toEqual([used, used]);
    expect(chainLimit({ hops: 3, left: 0 }, sourceId())).toBeUndefined();
  });
});
