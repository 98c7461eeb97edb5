import { Stack } from 'aws-cdk-lib';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { metricNamespaceOf } from '../../shared/domain/metrics/service-metric-names.ts';
import type { ServiceFunction } from './service-function.ts';

/** Metric → the log line that it counts. */
const LINES = { Renewals: 'account.renewed', FailedRenewals: 'account.renewal_failed' } as const;

/**
 * Counts the renewals of access tokens, by the lines in the log of the function that renews. Without a renewal there is
 * no value, and CloudWatch bills nothing.
 */
export class RenewalMetrics extends Construct {
  constructor(scope: Construct, id: string, { logGroup }: ServiceFunction) {
    super(scope, id);
    for (const [metricName, line] of Object.entries(LINES))
      new MetricFilter(this, metricName, {
        logGroup,
        filterPattern: FilterPattern.stringValue('$.message', '=', line),
        metricNamespace: metricNamespaceOf(Stack.of(this).stackName),
        metricName,
        metricValue: '1',
      });
  }
}
