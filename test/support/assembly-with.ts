import { Concurrency } from '../../infra/concurrency.ts';
import type { Assembly } from '../../infra/embedded/open-cloud.ts';
import { type Limits, defaultUserLimits } from '../../shared/domain/limits.ts';
import { testAssembly } from './cloud.ts';

interface Template {
  Resources: Record<string, { Properties?: Record<string, unknown> }>;
  Outputs: Record<string, { Value: { Ref?: string } }>;
}

interface Settings {
  limits?: Partial<Limits>;
  componentHosts?: Record<string, string>;
  runnerHosts?: Record<string, string>;
  /** Whether private addresses may be reached, as they may unless given, and blocks that may all the same. */
  network?: { allowPrivate: boolean; allowList?: string[] };
  npmRegistry?: string;
  /** Maximum concurrent runs of the runner. */
  runners?: number;
  /** A preset for the queues' functions. */
  concurrency?: 'small' | 'standard';
}

/**
 * The stack of the run as it would be synthesised with other stage settings: these are plain texts in its functions'
 * environments.
 */
export function assemblyWith({
  limits = {},
  componentHosts = {},
  runnerHosts = {},
  network = { allowPrivate: true },
  npmRegistry,
  runners,
  concurrency,
}: Settings): Assembly {
  const assembly = testAssembly();
  const texts = {
    LIMITS: JSON.stringify({ ...defaultUserLimits, ...limits }),
    COMPONENT_HOSTS: JSON.stringify(componentHosts),
    RUNNER_HOSTS: JSON.stringify(runnerHosts),
    ALLOW_PRIVATE_NETWORK: network.allowPrivate ? '1' : '0',
    NETWORK_ALLOW_LIST: (network.allowList ?? []).join(','),
    ...(npmRegistry === undefined ? {} : { NPM_REGISTRY: npmRegistry }),
  };
  const settings = new Map(Object.entries(texts));
  const template = JSON.parse(JSON.stringify(assembly.template), (key, value: unknown) =>
    typeof value === 'string' ? (settings.get(key) ?? value) : value,
  ) as Template;
  Object.assign(template.Outputs['AllowPrivateNetwork'] ?? {}, { Value: texts.ALLOW_PRIVATE_NETWORK });
  if (concurrency !== undefined) setConcurrency(template, Concurrency.parse(concurrency));
  const runner = template.Resources[template.Outputs['RunnerFunction']?.Value.Ref ?? ''];
  if (runner?.Properties && runners !== undefined) runner.Properties['ReservedConcurrentExecutions'] = runners;
  return { ...assembly, template };
}

function setConcurrency({ Resources }: Template, concurrency: Concurrency): void {
  for (const [id, { Properties = {} }] of Object.entries(Resources)) {
    const { Variables } = (Properties['Environment'] ?? {}) as { Variables?: Record<string, string> };
    if (Variables?.['RUNNERS_PER_BATCH'] !== undefined)
      Variables['RUNNERS_PER_BATCH'] = String(concurrency.runnersPerBatch);
    for (const queue of ['runs', 'deliveries', 'retries', 'timers'] as const)
      if (id.toLowerCase().startsWith(`${queue}feed`))
        Properties['ScalingConfig'] = { MaximumConcurrency: concurrency[queue] };
  }
}
