import type { Page } from 'playwright-core';

/** Ids of the service, of events and of triggers. */
const ID = String.raw`^(?:[a-z]{1,3}_[0-9a-z]{20,}|\d{13}-\d+|(?:http|api|tick|event)-[-0-9a-f]{30,})$`;

/** The ids and times of a page that are cut, or that stand on more than one line. */
export async function brokenIds(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('main *')]
    .filter((part) => part.children.length === 0 && part.closest('.hidden-text') === null &&
      (part.localName === 'time' || new RegExp(${JSON.stringify(ID)}).test(part.textContent.trim())))
    .flatMap((part) => {
      const text = document.createRange();
      text.selectNodeContents(part);
      const boxes = [...text.getClientRects()].filter(({ width }) => width > 0);
      const lines = new Set(boxes.map(({ top }) => Math.round(top)));
      const right = Math.max(0, ...boxes.map((box) => box.right));
      let around = part;
      while (around && !(getComputedStyle(around).overflowX !== 'visible' && around.getBoundingClientRect().right < right - 1)) around = around.parentElement;
      const found = [...(lines.size > 1 ? ['wrapped'] : []), ...(around ? ['cut'] : [])];
      return found.length === 0 ? [] : [found.join(' and ') + ': ' + part.textContent + ' in ' + part.parentElement.outerHTML.slice(0, 160)];
    })`);
}
