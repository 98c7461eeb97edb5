import * as z from 'zod';
import type { Variable } from '../shared/lambda/environment.ts';
import type { Stage } from './stage.ts';

type Settings = Pick<
  Stage,
  'logLevel' | 'npmRegistry' | 'componentHosts' | 'runnerHosts' | 'allowPrivateNetwork' | 'networkAllowList' | 'limits'
>;

/** Settings of a stage that are nothing but values of environment variables. */
export const stageVariables = (stage: Settings) =>
  ({
    LOG_LEVEL: stage.logLevel,
    NPM_REGISTRY: stage.npmRegistry,
    COMPONENT_HOSTS: JSON.stringify(stage.componentHosts),
    RUNNER_HOSTS: JSON.stringify(stage.runnerHosts),
    ALLOW_PRIVATE_NETWORK: stage.allowPrivateNetwork ? '1' : '0',
    NETWORK_ALLOW_LIST: stage.networkAllowList.join(','),
    LIMITS: JSON.stringify(stage.limits),
  }) satisfies Partial<Record<Variable, string>>;

const Resource = z.looseObject({
  Type: z.string(),
  Properties: z
    .looseObject({
      Environment: z.looseObject({ Variables: z.record(z.string(), z.unknown()) }).optional(),
    })
    .optional(),
});
const Template = z.looseObject({
  Resources: z.record(z.string(), Resource),
  Outputs: z.looseObject({
    AllowPrivateNetwork: z.looseObject({ Value: z.string() }),
    Limits: z.looseObject({ Value: z.string() }),
  }),
});

/** A synthesised template with other values of {@link stageVariables}, as if it had been synthesised with them. */
export function withStageVariables(template: unknown, settings: Settings): Record<string, unknown> {
  const variables = stageVariables(settings);
  const changed = withVariables(template, variables);
  changed.Outputs.AllowPrivateNetwork.Value = variables.ALLOW_PRIVATE_NETWORK;
  changed.Outputs.Limits.Value = variables.LIMITS;
  return changed;
}

/** The template of a paused service: a request that would deliver at once is refused. */
export const pausedTemplate = (template: unknown): Record<string, unknown> => withVariables(template, { PAUSED: '1' });

/** The template of a service without CloudWatch: its gateway answers `/healthz` and `/metrics`. */
export const templateWithoutMetrics = (template: unknown): Record<string, unknown> =>
  templateWithoutHeartbeat(withVariables(template, { METRIC_NAMESPACE: '' }));

/** A copy of the template without the schedule of the heartbeat. */
export function templateWithoutHeartbeat(template: unknown): Record<string, unknown> {
  const { Resources, ...rest } = Template.parse(template);
  const isHeartbeat = ([id, { Type }]: [string, { Type: string }]) =>
    Type === 'AWS::Scheduler::Schedule' && id.startsWith('SchedulesHeartbeat');
  return { ...rest, Resources: Object.fromEntries(Object.entries(Resources).filter((entry) => !isHeartbeat(entry))) };
}

/** The template of a service whose earlier processes have all ended, so that their leases are void. */
export const templateOfEpoch = (template: unknown, epoch: string): Record<string, unknown> =>
  withVariables(template, { LEASE_EPOCH: epoch });

/** A copy of the template with other values of variables that its functions have. */
function withVariables(template: unknown, values: Partial<Record<Variable, string>>) {
  const changed = Template.parse(structuredClone(template));
  for (const { Properties } of Object.values(changed.Resources)) {
    const variables = Properties?.Environment?.Variables ?? {};
    for (const [name, value] of Object.entries(values)) if (name in variables) variables[name] = value;
  }
  return changed;
}
