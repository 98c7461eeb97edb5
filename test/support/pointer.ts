import type { Locator, Page } from 'playwright-core';

export const boxOf = async (part: Locator) =>
  (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };

/** Distance of an element from the top of the window, in pixels. */
export const topOf = async (part: Locator): Promise<number> => (await boxOf(part)).y;

/** Moves the pointer to an element that stands still, where it rests. Gives its distance from the top. */
export async function restAt(part: Locator): Promise<number> {
  await part.hover();
  return topOf(part);
}

export async function clickWhereItRests(page: Page): Promise<void> {
  await page.mouse.down();
  await page.mouse.up();
}
