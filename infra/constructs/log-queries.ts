import { type LogGroup, QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

/**
 * Name of the saved query → the ids that it finds lines by, and what it shows. docs/operations.md explains the
 * searches.
 */
const SEARCHES = {
  request: {
    filter: 'requestId = "REQUEST_ID" or trigger = "TRIGGER"',
    shows: ['requestId', 'trigger', 'emitter', 'status', 'code', 'outcome', 'firstEvent', 'lastEvent'],
  },
  changes: {
    filter: 'message = "request.served" and method != "GET"',
    shows: ['requestId', 'userId', 'operation', 'subject', 'status', 'code'],
  },
  event: {
    filter: 'event = "EVENT_ID"',
    shows: ['delivery', 'webhook', 'workflow', 'cause', 'attempt', 'outcome', 'status'],
  },
  delivery: {
    filter: 'emit = "WEBHOOK_ID" or batch = "BATCH"',
    shows: ['batch', 'delivery', 'webhook', 'event', 'attempt', 'outcome', 'status', 'returned'],
  },
} as const;

interface LogQueriesProps {
  stackName: string;
  logGroups: readonly LogGroup[];
}

/**
 * Saved queries of CloudWatch Logs Insights over the logs of all functions. They cost nothing until somebody runs them.
 */
export class LogQueries extends Construct {
  constructor(scope: Construct, id: string, { stackName, logGroups }: LogQueriesProps) {
    super(scope, id);
    for (const [name, { filter, shows }] of Object.entries(SEARCHES))
      new QueryDefinition(this, name, {
        queryDefinitionName: `${stackName}/${name}`,
        queryString: new QueryString({
          fields: ['@timestamp', 'message', 'function', ...shows, 'ms'],
          filterStatements: [filter],
          sort: '@timestamp',
          limit: 1_000,
        }),
        logGroups: [...logGroups],
      });
  }
}
