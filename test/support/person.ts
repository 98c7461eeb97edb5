import type { Locator, Page } from 'playwright-core';

export const MEANS = ['mouse', 'touch', 'keyboard'] as const;
export type Means = (typeof MEANS)[number];

/** The most controls of a page before the one that is looked for. */
const MAX_TABS = 150;

/**
 * A person who does a task on a page, with one means alone. A press, a text, a choice and a command are a step each;
 * the keys that lead to a control are none.
 */
export class Person {
  readonly #page: Page;
  readonly #means: Means;
  #steps = 0;

  constructor(page: Page, means: Means) {
    this.#page = page;
    this.#means = means;
  }

  get steps(): number {
    return this.#steps;
  }

  /** Something outside of the page, such as a command. */
  step(): void {
    this.#steps += 1;
  }

  /** Presses a link or a button. */
  async press(target: Locator): Promise<void> {
    this.#steps += 1;
    if (this.#means === 'mouse') await target.click();
    else if (this.#means === 'touch') await target.tap();
    else {
      await this.#goTo(target);
      await this.#page.keyboard.press('Enter');
    }
  }

  async write(target: Locator, text: string): Promise<void> {
    this.#steps += 1;
    await this.#enter(target);
    await this.#page.keyboard.type(text);
  }

  /** Finds a choice of a list by a part of its name, and takes the first one. */
  async pick(label: string, name: string): Promise<void> {
    await this.write(this.#page.getByRole('combobox', { name: label, exact: true }), name);
    const option = this.#page.getByRole('option', { name }).first();
    await option.waitFor();
    if (this.#means === 'keyboard') {
      this.#steps += 1;
      await this.#page.keyboard.press('Enter');
    } else await this.press(option);
  }

  /** Takes a choice of a short list. */
  async select(label: string, name: string): Promise<void> {
    this.#steps += 1;
    const list = this.#page.getByRole('combobox', { name: label, exact: true });
    if (this.#means !== 'keyboard') {
      await list.selectOption({ label: name });
      return;
    }
    await this.#goTo(list);
    await this.#page.keyboard.type(name);
    await list.locator('option:checked', { hasText: name }).waitFor({ state: 'attached' });
  }

  async #enter(target: Locator): Promise<void> {
    if (this.#means === 'mouse') await target.click();
    else if (this.#means === 'touch') await target.tap();
    else await this.#goTo(target);
  }

  async #goTo(target: Locator): Promise<void> {
    await target.waitFor();
    for (let n = 0; n < MAX_TABS; n += 1) {
      if ((await target.and(this.#page.locator(':focus')).count()) === 1) return;
      await this.#page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${String(target)}`);
  }
}
