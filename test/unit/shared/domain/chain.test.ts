import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Chain, chainLimit, chainOf, MAX_HOPS, nextChain } from '../../../../shared/domain/chain.ts';
import { newId, SourceId, WorkflowId } from '../../../../shared/domain/id.ts';

const sourceId = () => SourceId.parse(newId('source', Date.now(), randomBytes));
const newChain: Chain = { hops: 0 };
const after = (...emitters: Parameters<typeof nextChain>[1][]): Chain =>
  emitters.reduce<Chain>(nextChain, newChain);

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
    expect(nextChain(newChain, workflow)).toEqual({ hops: 1 });
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
    const second = chainOf({ ...nextChain(first, sourceId()), id: 'next' });
    expect(second.trace).toEqual(first.trace);
  });
});
