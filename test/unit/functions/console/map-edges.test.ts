import { describe, expect, test } from 'vitest';
import { edgesAround, MAX_EDGES } from '../../../../functions/console/app/pages/subscriptions/map-edges.ts';

const edges = (...texts: string[]) =>
  texts.map((text) => {
    const [from = '', to = ''] = text.split('>');
    return { from, to };
  });
const around = (id: string, all: ReturnType<typeof edges>) =>
  edgesAround(id, all).map(({ from, to }) => `${from}>${to}`);

describe('the map of one thing', () => {
  const all = edges('dc_a>dc_b', 'dc_b>wh_1', 'dc_c>wh_1', 'dc_c>wh_2', 'dc_d>wh_3');

  test('has what leads to it and what it leads to, over several subscriptions', () => {
    expect(around('dc_a', all)).toEqual(['dc_a>dc_b', 'dc_b>wh_1']);
    expect(around('wh_1', all)).toEqual(['dc_b>wh_1', 'dc_c>wh_1', 'dc_a>dc_b']);
    expect(around('dc_none', all)).toEqual([]);
  });

  test('of a source has the subscriptions to all sources', () => {
    const some = edges('dc_*>wh_9', 'p_*>wh_8', 'dc_a>wh_1');
    expect(around('dc_a', some)).toEqual(['dc_*>wh_9', 'dc_a>wh_1']);
  });

  test('ends for a source that listens to itself', () => {
    expect(around('dc_a', edges('dc_a>dc_a'))).toEqual(['dc_a>dc_a']);
  });

  test(`has at most ${MAX_EDGES} lines, of both sides`, () => {
    const listeners = Array.from({ length: 100 }, (_, n) => `dc_a>wh_${n}`);
    const emitters = Array.from({ length: 100 }, (_, n) => `dc_${n}>dc_a`);
    const found = around('dc_a', edges(...listeners, ...emitters));
    expect(found).toHaveLength(MAX_EDGES);
    expect(found.filter((text) => text.startsWith('dc_a>'))).toHaveLength(MAX_EDGES / 2);
    expect(around('dc_a', edges(...listeners))).toHaveLength(MAX_EDGES);
  });
});
