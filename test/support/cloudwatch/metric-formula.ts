import { compileFunction } from 'node:vm';

/** Values of consecutive minutes; undefined: the minute has none. */
type Series = readonly (number | undefined)[];

const OPERATORS = /\bIF\(|\bAND\b|[+*/<>]/;

/**
 * Computes a formula of metric math: a metric's id, `FILL(series, number)`, `DIFF(series)`, and without `DIFF` also
 * `IF(condition, value, value)`, `AND` and operators of numbers.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
export function seriesOf(formula: string, inputs: ReadonlyMap<string, Series>): Series {
  if (OPERATORS.test(formula)) return eachMinute(formula, inputs);
  const [, name = '', inner] = /^\s*(\w+)\s*(?:\((.*)\))?\s*$/s.exec(formula) ?? [];
  if (inner === undefined) {
    const input = inputs.get(name);
    if (input) return input;
    throw new Error(`The formula ${formula} names no metric.`);
  }
  switch (name) {
    case 'DIFF':
      return differences(seriesOf(inner, inputs));
    case 'FILL': {
      const comma = inner.lastIndexOf(',');
      const filler = Number(inner.slice(comma + 1));
      if (comma < 0 || Number.isNaN(filler)) throw new Error(`The formula ${formula} fills with no number.`);
      return seriesOf(inner.slice(0, comma), inputs).map((value) => value ?? filler);
    }
    default:
      throw new Error(`The formula ${formula} has a function without a rule.`);
  }
}

const FUNCTIONS = {
  FILL: (value: number | undefined, filler: number) => value ?? filler,
  IF: (condition: boolean, value: number, other: number) => (condition ? value : other),
};

function eachMinute(formula: string, inputs: ReadonlyMap<string, Series>): Series {
  const code = `return ${formula.replaceAll(/\bAND\b/g, '&&').trim()};`;
  const compute = compileFunction(code, [...Object.keys(FUNCTIONS), ...inputs.keys()]);
  const [[, { length } = []] = []] = inputs;
  return Array.from({ length: length ?? 0 }, (_, minute) => {
    const values = [...inputs.values()].map((series) => series[minute]);
    return Number(Reflect.apply(compute, undefined, [...Object.values(FUNCTIONS), ...values]));
  });
}

/** The difference of each value to the value before it; the first has none. */
function differences(series: Series): Series {
  let before: number | undefined;
  return series.map((value) => {
    if (value === undefined) return undefined;
    const difference = before === undefined ? undefined : value - before;
    before = value;
    return difference;
  });
}
