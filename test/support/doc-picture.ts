import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const FOLDER = join(import.meta.dirname, '../../docs/images');
const MAX_BYTES = 200_000;
/** `npm run pictures` sets it. */
export const updatesPictures = process.env['UPDATE_PICTURE'] !== undefined;

/** Without what differs from run to run: ids, addresses, times, and counts, which come up to a minute later. */
const comparable = (structure: string): string =>
  structure
    .replace(/\b((?:dc|sc|wh)_\w+|http-[\da-f-]{36})/g, 'id')
    .replace(/\d{13}-\d+/g, 'id')
    .replace(/https?:\/\/[^\s"']+/g, 'http://…')
    .replace(/\d+:\d\d(:\d\d)?( [AP]M)?/g, 'time')
    .replace(/\d+ (ms|s|min)( ago)?\b/g, 'time')
    .replace(/\b(now|just now)\b/g, 'time')
    .replace(/\b[\d.]+\/min\b/g, 'rate')
    .replace(/\b(Runs|Errors|Events): \d+, at most \d+/g, '$1: count')
    .replace(/- strong: "\d+"/g, '- strong: count');

/** Compares a page with the content, in words, that it had when its picture for the docs was made. */
export async function expectPicture(page: Page, name: string): Promise<void> {
  const [picture, words] = [join(FOLDER, `${name}.png`), join(FOLDER, `${name}.txt`)];
  const structure = async () => comparable(await page.locator('body').ariaSnapshot());
  if (updatesPictures) {
    writeFileSync(picture, await page.screenshot());
    writeFileSync(words, await structure());
  }
  expect(existsSync(picture) && statSync(picture).size).toBeLessThan(MAX_BYTES);
  // Events, logs and charts come in any order.
  await expect.poll(structure).toBe(readFileSync(words, 'utf8'));
}
