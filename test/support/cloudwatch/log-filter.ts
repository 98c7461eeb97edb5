import * as z from 'zod';
import type { Resource } from '../../../infra/embedded/template/interpret.ts';
import type { WatchedMetric } from './alarms-of.ts';

const Properties = z.strictObject({
  LogGroupName: z.string(),
  FilterPattern: z.string().regex(/^\{ .+ \}$/),
  MetricTransformations: z.tuple([
    z.strictObject({ MetricNamespace: z.string(), MetricName: z.string(), MetricValue: z.literal('1') }),
  ]),
});

/** A metric filter of a template. */
export interface LogFilter {
  readonly logGroup: string;
  readonly metric: Pick<WatchedMetric, 'namespace' | 'name' | 'dimensions'>;
  /** Whether it counts a line. */
  matches(line: unknown): boolean;
}

const CONDITION = /^\$\.([\w.]+) (!?=) "([^"*]*)"$/;

export function logFilterOf({ properties }: Resource): LogFilter {
  const {
    LogGroupName,
    FilterPattern,
    MetricTransformations: [{ MetricNamespace: namespace, MetricName: name }],
  } = Properties.parse(properties);
  const conditions = FilterPattern.slice(2, -2)
    .split(' && ')
    .map((each) => conditionOf(each.replace(/^\((.*)\)$/, '$1')));
  return {
    logGroup: LogGroupName,
    metric: { namespace, name, dimensions: {} },
    matches: (line) => conditions.every((isMet) => isMet(line)),
  };
}

/**
 * A condition about a field that the line does not have is not met.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
function conditionOf(text: string): (line: unknown) => boolean {
  const [, path, operator, value] = CONDITION.exec(text) ?? [];
  if (path === undefined) throw new Error(`The condition ${text} of a metric filter has no rule.`);
  return (line) => {
    const found = path
      .split('.')
      .reduce<unknown>((at, key) => (at instanceof Object ? Reflect.get(at, key) : undefined), line);
    return found !== undefined && (found === value) === (operator === '=');
  };
}
