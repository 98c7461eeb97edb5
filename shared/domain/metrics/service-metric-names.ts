/** The metrics of a stage that AWS does not count itself, in one namespace for each stage. They have no dimensions. */
export const SERVICE_METRICS = {
  /** Runs that failed, and triggers that a user's quota refused. */
  runsFailed: 'RunsFailed',
  deliveriesFailed: 'DeliveriesFailed',
  /** Longest time from the storing of an event to the end of its first attempt, if that delivered, ms. */
  deliveryLag: 'DeliveryLag',
} as const;

export type ServiceMetricName = (typeof SERVICE_METRICS)[keyof typeof SERVICE_METRICS];

export const metricNamespaceOf = (stackName: string): string => `Tributary/${stackName}`;
