import { FilterPattern, type IFilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { metricNamespaceOf } from '../../shared/domain/metrics/service-metric-names.ts';
import type { ServiceFunction } from './service-function.ts';

export type LogMetricName = 'Renewals' | 'FailedRenewals' | 'FunctionFailures';

const lineOf = (message: string) => FilterPattern.stringValue('$.message', '=', message);

/**
 * Lambda's report of an invocation that threw, crashed or ran out of time.
 * https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html
 */
const FAILURE = FilterPattern.all(
  FilterPattern.stringValue('$.type', '=', 'platform.report'),
  FilterPattern.stringValue('$.record.status', '!=', 'success'),
);

interface LogMetricsProps {
  stackName: string;
  /** The function that renews access tokens. */
  renewer: ServiceFunction;
  functions: readonly ServiceFunction[];
}

/** Counts lines of logs. A metric without a line has no value, and CloudWatch bills nothing for it. */
export class LogMetrics extends Construct {
  private readonly namespace: string;

  constructor(scope: Construct, id: string, { stackName, renewer, functions }: LogMetricsProps) {
    super(scope, id);
    this.namespace = metricNamespaceOf(stackName);
    this.count('Renewals', lineOf('account.renewed'), renewer);
    this.count('FailedRenewals', lineOf('account.renewal_failed'), renewer);
    for (const each of functions) this.count('FunctionFailures', FAILURE, each);
  }

  private count(metricName: LogMetricName, filterPattern: IFilterPattern, { node, logGroup }: ServiceFunction): void {
    new MetricFilter(this, `${metricName}${node.id}`, {
      logGroup,
      filterPattern,
      metricNamespace: this.namespace,
      metricName,
      metricValue: '1',
    });
  }
}
