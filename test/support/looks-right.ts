import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { accessibilityFindings, isSlowed, keepPicture, keepsPictures } from './console-browser.ts';
import { brokenIds, brokenOptions, cutChoices } from './whole-ids.ts';

const NARROWEST = 360;
const WIDE = 1_440;
/** A desk, a tablet and a telephone. */
const WIDTHS = [WIDE, 1_024, 390] as const;
/** Both themes and both widths: colours do not depend on the width, nor positions on the theme. */
const LOOKS = [
  ['dark', WIDE],
  ['light', NARROWEST],
] as const;

/** The page and the open dialogs that are wider than their boxes. */
const SCROLLED = `[document.documentElement, ...document.querySelectorAll('dialog[open]')]
  .filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.tagName)`;

/**
 * The page is accessible and does not scroll sideways, in a look of each theme and each width; its ids, times, choices
 * and options of commands are whole.
 */
export async function looksRight(page: Page, name: string): Promise<void> {
  // A slow machine changes what comes first, and no look.
  if (isSlowed) return;
  for (const [colorScheme, width] of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const look = `${name}-${colorScheme}-${width}`;
    // Lists that go on coming are drawn again meanwhile.
    await expect.poll(() => accessibilityFindings(page), { message: look }).toEqual([]);
    // Tables are measured in the frame after the one that the window changed in.
    await expect.poll(() => page.evaluate(SCROLLED), { message: `${look} scrolls` }).toEqual([]);
  }
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const broken = async () => [
      ...(await brokenIds(page)),
      ...(await brokenOptions(page)),
      ...(await cutChoices(page)),
    ];
    await expect.poll(broken, { message: `${name}-${width}` }).toEqual([]);
  }
  await keepPictures(page, name);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: WIDE, height: 900 });
}

/** Pictures for people, in every theme and at every width. */
async function keepPictures(page: Page, name: string): Promise<void> {
  if (!keepsPictures) return;
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of WIDTHS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      // Tables are measured in the frame after the one that the window changed in.
      await page.screenshot();
      await keepPicture(page, `${name}-${colorScheme}-${width}`);
    }
}
