import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { accessibilityFindings, keepPicture } from './console-browser.ts';

/** The page is accessible and does not scroll sideways, wide and narrow, in both themes. Keeps a picture of each. */
export async function looksRight(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1_440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await accessibilityFindings(page), `${name} ${width} ${colorScheme}`).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), `${name} scrolls`).toBe(width);
      await keepPicture(page, `${name}-${width}-${colorScheme}`);
    }
  }
  await page.setViewportSize({ width: 1_440, height: 900 });
}
