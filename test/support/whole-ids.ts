import type { Page } from 'playwright-core';

/** Ids of the service, of events, triggers and emits. */
const ID = String.raw`^(?:[a-z]{1,3}_[0-9a-z]{20,}|\d{13}-\d+|(?:http|api|tick|event)-[-0-9a-f]{30,}|(?=.*\d)[-\w]{22})$`;

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

/** The options of a page's commands that stand on more than one line. */
export async function brokenOptions(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('main pre, dialog pre')].flatMap((command) => {
    const texts = document.createTreeWalker(command, NodeFilter.SHOW_TEXT);
    const broken = [];
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      for (const { 0: option, index } of text.data.matchAll(/--[a-z][a-z-]*/g)) {
        const part = document.createRange();
        part.setStart(text, index);
        part.setEnd(text, index + option.length);
        const lines = new Set([...part.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) broken.push('wrapped: ' + option + ' in ' + command.textContent.slice(0, 160));
      }
    return broken;
  })`);
}

/**
 * The chosen values of a page's selects, and the typed ones of its filters, that are cut. The arrow of a select takes
 * the height of a line.
 */
export async function cutChoices(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('select')]
    .filter((select) => {
      const style = getComputedStyle(select);
      const context = document.createElement('canvas').getContext('2d');
      context.font = style.font;
      const text = select.selectedOptions[0]?.textContent ?? '';
      const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - parseFloat(style.fontSize);
      return context.measureText(text).width > room && select.clientWidth < 240;
    })
    .map((select) => 'cut: ' + select.selectedOptions[0].textContent)
    .concat([...document.querySelectorAll('.filters input')]
      .filter((input) => input.scrollWidth > input.clientWidth)
      .map((input) => 'cut: ' + input.value))`);
}
