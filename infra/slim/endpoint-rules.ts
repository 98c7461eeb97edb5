/** A condition of AWS's endpoint rules: function, arguments, and the name that its value gets. */
export type Condition = readonly [fn: string, args: readonly unknown[], assigned?: string];

/** Rules as a decision diagram, as SDK clients carry them: nodes of three (condition, next if so, next if not), the first a mere place. */
export interface Rules {
  nodes: readonly number[];
  root: number;
  conditions: readonly Condition[];
  results: readonly (readonly unknown[])[];
}

/** References from here on are results; one, plus or minus, is an end without any. */
const RESULTS = 100_000_000;

/** Numbers what it is asked for in the order of the asking. */
class Numbered {
  readonly #numbers = new Map<number, number>();

  of(old: number): number {
    const number = this.#numbers.get(old) ?? this.#numbers.size;
    this.#numbers.set(old, number);
    return number;
  }

  from<T>(all: readonly T[]): T[] {
    return [...this.#numbers.keys()].flatMap((old) => all.slice(old, old + 1));
  }
}

/**
 * The same rules without the ways that are never taken: what `outcome` says a condition comes to is still looked at, and if it comes
 * otherwise the end is the error `leftOut`.
 */
export function prunedRules(
  { nodes, root, conditions, results }: Rules,
  { outcome, leftOut }: { outcome: (condition: Condition) => boolean | undefined; leftOut: string },
): Rules {
  const [usedConditions, usedResults] = [new Numbered(), new Numbered()];
  const kept = [0, 0, 0];
  const seen = new Map<number, number>();
  const resultAt = (index: number) => RESULTS + usedResults.of(index);
  const refusal = () => resultAt(results.length);

  function keep(ref: number): number {
    if (ref >= RESULTS) return resultAt(ref - RESULTS);
    if (Math.abs(ref) === 1) return ref;
    const known = seen.get(ref);
    if (known !== undefined) return known;
    const [index = 0, high = 1, low = 1] = nodes.slice(3 * (ref - 1));
    const [condition] = conditions.slice(index);
    if (ref < 0 || !condition)
      throw new Error(`The endpoint rules have a reference of an unknown kind: ${ref}`);
    const expected = outcome(condition);
    const place = kept.push(usedConditions.of(index), 0, 0) - 3;
    const made = place / 3 + 1;
    seen.set(ref, made);
    kept[place + 1] = expected === false ? refusal() : keep(high);
    kept[place + 2] = expected === true ? refusal() : keep(low);
    return made;
  }

  return {
    root: keep(root),
    nodes: kept,
    conditions: usedConditions.from(conditions),
    results: usedResults.from([...results, [-1, leftOut]]),
  };
}
