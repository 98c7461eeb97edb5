import type { Page } from 'playwright-core';

const CONTROLS = 'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable="true"]';

/**
 * The controls of a page, or of its open dialog, that Tab does not reach or that do not show the focus, and what has
 * the focus outside of an open dialog.
 */
export async function notReachedByTab(page: Page): Promise<string[]> {
  const count: number = await page.evaluate(`{
    const root = document.querySelector('dialog[open]') ?? document.body;
    const isShown = (part) => part.checkVisibility({ visibilityProperty: true }) && part.getClientRects().length > 0;
    // The arrow keys go on from a tab, a menu item or an option.
    const isForTab = (part) => part.tabIndex >= 0 ||
      part.matches(':is(a[href], button, input, select, textarea, summary):not([role=tab], [role=menuitem], [role=option])');
    // Tab goes to the chosen one among choices that exclude each other.
    const isOther = (part) => part.type === 'radio' && !part.checked;
    const missing = new Set([...root.querySelectorAll(${JSON.stringify(CONTROLS)})]
      .filter((part) => isForTab(part) && !part.disabled && isShown(part) && !isOther(part)));
    const wrong = [];
    const hasFrame = (part) => getComputedStyle(part).outlineStyle !== 'none';
    document.activeElement?.blur();
    addEventListener('focusin', ({ target }) => {
      missing.delete(target);
      if (!root.contains(target)) wrong.push('outside of the dialog: ' + target.outerHTML.slice(0, 160));
      // A box of a graph has another stroke.
      else if (!(target instanceof SVGElement) &&
        ![target, target.parentElement, target.closest('.code-editor')].some((part) => part && hasFrame(part)))
        wrong.push('without a frame: ' + target.outerHTML.slice(0, 160));
    });
    globalThis.notReached = () =>
      [...wrong, ...[...missing].filter((part) => part.isConnected).map((part) => 'not reached: ' + part.outerHTML.slice(0, 160))];
    missing.size;
  }`);
  // The browser has the focus between the last control and the first one.
  for (let n = 0; n < count + 3; n += 1) await page.keyboard.press('Tab');
  return page.evaluate('notReached()');
}
