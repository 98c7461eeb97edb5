/** Earlier credentials that are redacted too; more make the search slower. */
const MAX_EARLIER = 20;
/** Several long tokens. An account may have fields of 64 KB. */
const MAX_CHARACTERS = 32_768;

/**
 * Keeps the credentials of one source after they were replaced: a variable of the component, or an event that its
 * upstream sends, may still hold a token that was renewed meanwhile.
 */
export class EarlierCredentials {
  /** Those of the last call included; the newest last. */
  #known: readonly string[] = [];

  /** The credentials with the earlier ones among them. */
  addTo(credentials: ReadonlySet<string>): ReadonlySet<string> {
    const earlier = newest(this.#known.filter((value) => !credentials.has(value)));
    this.#known = [...earlier, ...credentials];
    return new Set([...credentials, ...earlier]);
  }
}

function newest(values: readonly string[]): readonly string[] {
  let characters = 0;
  const from = values.findLastIndex((value) => (characters += value.length) > MAX_CHARACTERS);
  return values.slice(from + 1).slice(-MAX_EARLIER);
}
