import { alternatives, base64Cores, escaped, LONG, written } from './spellings.ts';

/** Finds values within Base64, by themselves or within a text that was made JSON or an address. */
export class Base64Spellings {
  /** By their beginnings, the longest first: an expression of all of them in full would be too large to be fast. */
  readonly #cores: ReadonlyMap<string, readonly string[]>;
  readonly #heads: RegExp | undefined;

  constructor(values: readonly string[], lines: readonly string[] = []) {
    const all = new Set([...values.flatMap(written), ...lines].flatMap(base64Cores));
    const cores = new Map<string, string[]>();
    for (const core of [...all].sort((a, b) => b.length - a.length)) {
      const head = core.slice(0, LONG);
      cores.set(head, [...(cores.get(head) ?? []), core]);
    }
    this.#cores = cores;
    this.#heads =
      cores.size === 0 ? undefined : new RegExp(alternatives([...cores.keys()].map(escaped)), 'g');
  }

  isIn(text: string): boolean {
    return this.replace(text, '') !== text;
  }

  replace(text: string, by: string): string {
    if (!this.#heads) return text;
    let shown = '';
    let at = 0;
    this.#heads.lastIndex = 0;
    for (let match = this.#heads.exec(text); match; match = this.#heads.exec(text)) {
      const { index, 0: head } = match;
      const core = this.#cores.get(head)?.find((one) => text.startsWith(one, index));
      if (core !== undefined) {
        shown += text.slice(at, index) + by;
        at = index + core.length;
      }
      this.#heads.lastIndex = core === undefined ? index + 1 : at;
    }
    return at === 0 ? text : shown + text.slice(at);
  }
}
