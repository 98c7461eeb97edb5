import { expect, test } from 'vitest';
import { assemblyOfStage } from '../../support/assembly-of-stage.ts';
import { behind } from '../../support/cloudfront.ts';
import { emitter } from '../../support/components.ts';
import { describeConsole, loaded } from '../../support/console-browser.ts';

/** The console reads live streams by the API's own address, so it needs no function URL. */
const assemblies = {
  off: () => assemblyOfStage({ live: 'off' }),
  signed: () => behind('http://127.0.0.1:9', assemblyOfStage({ live: 'signed' })),
};

for (const live of ['off', 'signed'] as const)
  describeConsole(
    `the console of a stage with live "${live}"`,
    (console) => {
      test('shows each event of a source when it comes', async () => {
        const { api } = console;
        const { id } = (await api.post('/sources', { component_code: emitter(), name: 'orders' })).body.data;
        await api.post(`/sources/${id}/run`, { emits: [[{ n: 'first' }]] });
        const page = await console.open(`/console/sources/${id}`);
        const streams: number[] = [];
        page.on('response', (response) => {
          if (new URL(response.url()).pathname.endsWith('/sse')) streams.push(response.status());
        });
        await loaded(page);
        const entries = page.getByRole('list', { name: 'Events' }).locator('button.event');
        await expect.poll(() => entries.count()).toBe(1);
        for (const count of [2, 3, 4]) {
          await api.post(`/sources/${id}/run`, { emits: [[{ n: count }]] });
          await expect.poll(() => entries.count(), { timeout: 20_000 }).toBe(count);
        }
        // Without its stream the page would read the list once a second.
        expect(new Set(streams)).toEqual(new Set([200]));
      });
    },
    () => ({ assembly: assemblies[live]() }),
  );
