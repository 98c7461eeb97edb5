import type * as z from 'zod';
import { type Concurrency, executionsOf, reservable } from './concurrency.ts';

/** The settings that must fit each other. */
interface Related {
  retention: { data: 'retain' | 'delete' };
  adopt?: object | undefined;
  domain?: { api: string; ingress: string } | undefined;
  concurrency: Concurrency;
}

interface Relation {
  path: string[];
  holds: boolean;
  /** Continues the name of the setting. */
  otherwise: string;
}

function relationsOf({ retention, adopt, domain, concurrency }: Related): Relation[] {
  const executions = executionsOf(concurrency);
  const { live = 0 } = concurrency;
  return [
    {
      path: ['concurrency'],
      holds: executions <= concurrency.account,
      otherwise:
        `needs ${executions} concurrent executions, but stage.concurrency.account allows ${concurrency.account}: ` +
        'lower runs, runnersPerBatch, deliveries, retries or timers, or raise account to what AWS allows',
    },
    {
      path: ['concurrency', 'live'],
      holds: live <= reservable(concurrency),
      otherwise:
        `must be at most ${reservable(concurrency)}: the queues need ${executions} of the ` +
        `${concurrency.account} executions of the account, and AWS keeps 100 that are not reserved`,
    },
    {
      path: ['concurrency', 'ingress'],
      holds: live > reservable(concurrency) || (concurrency.ingress ?? 0) <= reservable(concurrency) - live,
      otherwise:
        `must be at most ${reservable(concurrency) - live}:${live > 0 ? ` live streams reserve ${live},` : ''} the queues need ${executions} of the ` +
        `${concurrency.account} executions of the account, and AWS keeps 100 that are not reserved`,
    },
    {
      path: ['retention', 'data'],
      holds: adopt === undefined || retention.data === 'retain',
      otherwise: 'must be retain with stage.adopt, because a stack deletes nothing that it has adopted',
    },
    {
      path: ['domain', 'ingress'],
      holds: domain === undefined || domain.api !== domain.ingress,
      otherwise: 'must differ from stage.domain.api: components answer at the ingress, and the API elsewhere',
    },
  ];
}

/** Reports each relation between settings that does not hold. */
export function checkRelations(stage: Related, context: z.RefinementCtx): void {
  for (const { path, holds, otherwise } of relationsOf(stage))
    if (!holds) context.addIssue({ code: 'custom', path, message: otherwise });
}
