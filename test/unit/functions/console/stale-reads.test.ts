import { QueryClient } from '@tanstack/query-core';
import { afterEach, expect, test, vi } from 'vitest';
import { gate } from '../../../support/gate.ts';

const memory = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** The requests of the console, with the reads that it keeps. */
async function consoleWith(respond: typeof fetch) {
  vi.stubGlobal('sessionStorage', memory);
  vi.stubGlobal('location', { pathname: '/console' });
  vi.stubGlobal('localStorage', memory);
  vi.stubGlobal('fetch', respond);
  const { onWrite, request } = await import('../../../../functions/console/app/api/request.ts');
  const { getOptions } = await import('../../../../functions/console/app/api/component-api.ts');
  const { markStale } = await import('../../../../functions/console/app/hooks/mark-stale.ts');
  const queries = new QueryClient();
  onWrite(() => markStale(queries));
  const isStale = (name: string) => queries.getQueryState([name])?.isInvalidated;
  return { queries, request, getOptions, isStale };
}

test('a read that was in flight at a write is stale when it ends', async () => {
  const { queries, request, isStale } = await consoleWith(() => Promise.resolve(new Response('{}')));
  const { opened, open } = gate();
  const read = queries.fetchQuery({ queryKey: ['sources'], queryFn: () => opened.then(() => 'old') });
  await request('PUT', '/sources/dc_1', { body: { active: false } });
  open();
  expect(await read).toBe('old');
  await expect.poll(() => isStale('sources')).toBe(true);
  await queries.fetchQuery({ queryKey: ['sources'], queryFn: () => 'new' });
  expect(isStale('sources')).toBe(false);
});

test('a write without a response makes reads stale; asking for the options of a prop does not', async () => {
  const { queries, request, getOptions, isStale } = await consoleWith((address) =>
    String(address).endsWith('/configure')
      ? Promise.resolve(new Response('{"data": {}}'))
      : Promise.reject(new TypeError('fetch failed')),
  );
  queries.setQueryData(['sources'], 'old');
  await getOptions({ id: 'sc_1', prop_name: 'board', configured_props: {} });
  expect(isStale('sources')).toBe(false);
  await expect(request('DELETE', '/sources/dc_1')).rejects.toThrow('cannot be reached');
  expect(isStale('sources')).toBe(true);
});
