import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { choose, describeConsole, loaded } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';

const TICKER = `export default { name: 'Ticker', version: '1', props: { timer: { type: '$.interface.timer', label: 'Schedule' } }, run() {} };`;

const schedule = (page: Page) => page.getByRole('combobox', { name: 'Schedule', exact: true });
const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('not saved').waitFor({ state: 'detached' });
};

describeConsole('the field of a timer', (console) => {
  let id: string;
  const stored = async () => (await console.api.get(`/sources/${id}`)).body.data.configured_props.timer;
  beforeAll(async () => {
    id = (await console.api.post('/sources', { component_code: TICKER })).body.data.id;
  });

  test('offers presets, a time of the day in a zone, and a cron, each with its next times', async () => {
    const page = await console.open(`/console/sources/${id}/props`);
    await loaded(page);
    expect(await schedule(page).locator('option:checked').textContent()).toBe('Every hour');
    await schedule(page).selectOption('Every 15 minutes');
    await page.getByText('Next:').locator('time').nth(2).waitFor();
    await save(page);
    expect(await stored()).toMatchObject({ interval_seconds: 900 });
    // It began at the save; the times after another one would be others.
    await page.getByText('Next:').waitFor({ state: 'detached' });
    await page.getByText('every 15 min · next').waitFor();

    await schedule(page).selectOption('Daily at a time');
    await page.getByLabel('Time', { exact: true }).fill('07:30');
    await choose(page, 'Time zone', 'Asia/Tokyo');
    const next = page.getByText('Next:').locator('time');
    expect(await next.first().getAttribute('datetime')).toMatch(/T22:30:00\.000Z$/);
    await looksRight(page, 'timer-daily');
    await save(page);
    expect(await stored()).toMatchObject({ cron: '30 7 * * *', timezone: 'Asia/Tokyo' });

    await schedule(page).selectOption('Cron expression');
    await page.getByLabel('Cron', { exact: true }).fill('*/20 * * * *');
    await expect.poll(() => next.count()).toBe(3);
    const times = await next.evaluateAll((all) => all.map((each) => Date.parse(each.getAttribute('datetime') ?? '')));
    expect(times.slice(1).map((ms, n) => ms - (times[n] ?? 0))).toEqual([1_200_000, 1_200_000]);
    // Times of other days are the longest.
    const day = new Date(Date.now() + 10 * 86_400_000);
    await page.getByLabel('Cron', { exact: true }).fill(`30 22 ${day.getUTCDate()} ${day.getUTCMonth() + 1} *`);
    await expect.poll(async () => (await next.allTextContents()).filter((time) => /^\w+ \d/.test(time)).length).toBe(3);
    await looksRight(page, 'timer-other-days');
    await page.getByLabel('Cron', { exact: true }).fill('*/20 * * *');
    await page.getByText('The cron expression must have five fields').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('must have five fields').waitFor();
    await expect.poll(() => page.getByLabel('Cron', { exact: true }).and(page.locator(':focus')).count()).toBe(1);
    await looksRight(page, 'timer-refused');
    await page.getByLabel('Cron', { exact: true }).fill('0 9 * * 1-5');
    await save(page);
    expect(await stored()).toMatchObject({ cron: '0 9 * * 1-5', timezone: 'Asia/Tokyo' });
    await page.reload();
    expect(await page.getByLabel('Cron', { exact: true }).inputValue()).toBe('0 9 * * 1-5');
  });
});
