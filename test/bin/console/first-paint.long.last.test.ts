import { expect, test } from 'vitest';
import { describeConsole } from '../../support/console-browser.ts';

const LONGEST_MS = 1_000;
/** The fastest of these counts: the others may have waited for something else on this machine. */
const TABS = 5;

describeConsole('a new tab', (console) => {
  test.each(['/console', '/console/sources', '/console/webhooks', '/console/subscriptions'])(
    `paints %s first within ${LONGEST_MS} ms, without anything cached`,
    async (path) => {
      const paints: number[] = [];
      for (let n = 0; n < TABS; n += 1) {
        const page = await console.open(path);
        const paint = () =>
          page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime`);
        await expect.poll(paint).toEqual(expect.any(Number));
        paints.push(Number(await paint()));
      }
      expect(Math.min(...paints), paints.join(', ')).toBeLessThan(LONGEST_MS);
    },
  );
});
