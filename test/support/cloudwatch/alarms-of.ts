import * as z from 'zod';
import { interpret } from '../../../infra/embedded/template/interpret.ts';
import { TEST_ORIGINS } from '../origins.ts';

const Dimensions = z
  .array(z.object({ Name: z.string(), Value: z.string() }))
  .default([])
  .transform((list) => Object.fromEntries(list.map(({ Name, Value }) => [Name, Value])));

const Statistic = z.enum(['Sum', 'Maximum']);

const Stat = z.strictObject({
  Metric: z.strictObject({ Namespace: z.string(), MetricName: z.string(), Dimensions }),
  Period: z.number(),
  Stat: Statistic,
});

/** One entry of `Metrics`: what the alarm decides by, or an input of it. */
const Entry = z.strictObject({
  Id: z.string(),
  Expression: z.string().optional(),
  Label: z.string().optional(),
  MetricStat: Stat.optional(),
  Period: z.number().optional(),
  ReturnData: z.boolean().default(true),
});

/** The properties that decide the state. Others need a rule in `alarm-state.ts`. */
const Properties = z.strictObject({
  AlarmDescription: z.string(),
  ComparisonOperator: z.literal('GreaterThanThreshold'),
  Threshold: z.number(),
  EvaluationPeriods: z.number().int(),
  DatapointsToAlarm: z.number().int().optional(),
  TreatMissingData: z.enum(['notBreaching', 'breaching']),
  Namespace: z.string().optional(),
  MetricName: z.string().optional(),
  Dimensions,
  Statistic: Statistic.optional(),
  Period: z.number().optional(),
  Metrics: z.array(Entry).optional(),
  AlarmActions: z.unknown().optional(),
  Tags: z.unknown().optional(),
});

export interface WatchedMetric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: z.infer<typeof Statistic>;
  /** Seconds. */
  readonly period: number;
}

/** An alarm as the template defines it. */
export interface Alarm {
  /** Logical id. */
  readonly id: string;
  /** The id of its construct. */
  readonly name: string;
  readonly description: string;
  readonly comparison: 'GreaterThanThreshold';
  readonly threshold: number;
  readonly evaluationPeriods: number;
  readonly datapointsToAlarm: number;
  readonly missing: 'notBreaching' | 'breaching';
  /** The metrics by their ids in the expression. */
  readonly inputs: ReadonlyMap<string, WatchedMetric>;
  /** The id of a metric, or a formula of ids. */
  readonly expression: string;
}

const metricOf = ({ Metric, Period, Stat: statistic }: z.infer<typeof Stat>): WatchedMetric => ({
  namespace: Metric.Namespace,
  name: Metric.MetricName,
  dimensions: Metric.Dimensions,
  statistic,
  period: Period,
});

/** The alarms of a template, with the names that its resources have in the embedded cloud. */
export function alarmsOf(template: unknown): Alarm[] {
  return interpret(template, { origins: TEST_ORIGINS })
    .ofType('AWS::CloudWatch::Alarm')
    .map(({ logicalId, properties }) => alarmOf(logicalId, Properties.parse(properties)));
}

/** CDK appends a hash of 8 characters to the ids of the constructs `Alarms` and that of the alarm, without dashes. */
function alarmOf(id: string, declared: z.infer<typeof Properties>): Alarm {
  const name = id
    .replace(/^Alarms/, '')
    .slice(0, -8)
    .replace(/^DeadLetters(?=.)/, 'DeadLetters-');
  return {
    id,
    name,
    description: declared.AlarmDescription,
    comparison: declared.ComparisonOperator,
    threshold: declared.Threshold,
    evaluationPeriods: declared.EvaluationPeriods,
    datapointsToAlarm: declared.DatapointsToAlarm ?? declared.EvaluationPeriods,
    missing: declared.TreatMissingData,
    ...watchedBy(declared),
  };
}

function watchedBy(declared: z.infer<typeof Properties>): Pick<Alarm, 'inputs' | 'expression'> {
  const entries = declared.Metrics ?? [];
  const inputs = new Map(entries.flatMap(({ Id, MetricStat }) => (MetricStat ? [[Id, metricOf(MetricStat)]] : [])));
  const result = entries.find(({ ReturnData }) => ReturnData);
  if (result) return { inputs, expression: result.Expression ?? result.Id };
  const metric = Stat.parse({
    Metric: {
      Namespace: declared.Namespace,
      MetricName: declared.MetricName,
      Dimensions: Object.entries(declared.Dimensions).map(([Name, Value]) => ({ Name, Value })),
    },
    Period: declared.Period,
    Stat: declared.Statistic,
  });
  return { inputs: new Map([['metric', metricOf(metric)]]), expression: 'metric' };
}
