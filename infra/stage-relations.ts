import type * as z from 'zod';
import { eventsPerSecond } from './capacity.ts';
import { type Concurrency, executionsOf, reservable } from './concurrency.ts';

/** The settings that must fit each other. */
interface Related {
  retention: { data: 'retain' | 'delete' };
  adopt?: object | undefined;
  domain?: { api: string; ingress: string } | undefined;
  live: 'off' | 'public' | 'signed';
  network?: { vpc: string; subnetIds?: string[] | undefined; addresses?: string[] | undefined } | undefined;
  concurrency: Concurrency;
}

interface Relation {
  path: string[];
  holds: boolean;
  /** Continues the name of the setting. */
  otherwise: string;
}

function relationsOf({ retention, adopt, domain, live: kind, network, concurrency }: Related): Relation[] {
  const executions = executionsOf(concurrency);
  // Streams and long polls have a function each.
  const functions = kind === 'off' ? 1 : 2;
  const live = functions * (concurrency.live ?? 0);
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
        `must be at most ${Math.floor(reservable(concurrency) / functions)}: the queues need ${executions} of the ` +
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
      holds: domain === undefined || !isIngress(domain.ingress, domain.api),
      otherwise:
        'must differ from stage.domain.api and not cover it: components answer at the ingress, and the API elsewhere',
    },
    ...(['subnetIds', 'addresses'] as const).map((name) => ({
      path: ['network', name],
      holds: network === undefined || (network.vpc === 'new') === (network[name] === undefined),
      otherwise:
        network?.vpc === 'new'
          ? 'must be absent with stage.network.vpc "new": the stack creates both'
          : 'must be set with the id of a VPC: its subnets with a route to a NAT gateway, and the addresses of that',
    })),
  ];
}

/** Whether the ingress has this host, by its name or by its wildcard. */
const isIngress = (ingress: string, host: string): boolean =>
  host === ingress.replace('*.', '') || (ingress.startsWith('*.') && host.endsWith(ingress.slice(1)));

/** The settings that must fit what Lambda runs. */
interface Deployed {
  concurrency: Concurrency;
  limits: { concurrentRuns: number };
  throttle: { rate: number };
}

function capacityOf({ concurrency, limits, throttle }: Deployed): Relation[] {
  const { runs, runnersPerBatch } = concurrency;
  const capacity = eventsPerSecond(concurrency);
  return [
    {
      path: ['limits', 'concurrentRuns'],
      holds: limits.concurrentRuns < runs,
      otherwise:
        `must be less than stage.concurrency.runs, which is ${runs}: long runs of one user could otherwise take all of it; ` +
        `set it to at most ${runs - 1}, or raise runs`,
    },
    {
      path: ['throttle', 'rate'],
      holds: throttle.rate <= capacity,
      otherwise:
        `must be at most ${capacity}: ${runs} runs with ${runnersPerBatch} runners each execute about ${capacity} short runs per second, ` +
        'and more requests than that would only wait in the queue; lower it, or raise runs or runnersPerBatch of stage.concurrency',
    },
  ];
}

function report(relations: readonly Relation[], context: z.RefinementCtx): void {
  for (const { path, holds, otherwise } of relations)
    if (!holds) context.addIssue({ code: 'custom', path, message: otherwise });
}

/** Reports each relation between settings that does not hold. */
export const checkRelations = (stage: Related, context: z.RefinementCtx): void => report(relationsOf(stage), context);

/** Reports each setting that promises more than the stage's concurrency executes on AWS. */
export const checkCapacity = (stage: Deployed, context: z.RefinementCtx): void => report(capacityOf(stage), context);
