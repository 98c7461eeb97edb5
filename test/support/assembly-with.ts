import type { Assembly } from '../../infra/embedded/open-cloud.ts';
import { type Limits, defaultUserLimits } from '../../shared/domain/limits.ts';
import { testAssembly } from './cloud.ts';

interface Settings {
  limits?: Partial<Limits>;
  componentHosts?: Record<string, string>;
  runnerHosts?: Record<string, string>;
}

/** The stack of the run as it would be synthesised with other stage settings: these are plain texts in its functions' environments. */
export function assemblyWith({ limits = {}, componentHosts = {}, runnerHosts = {} }: Settings): Assembly {
  const assembly = testAssembly();
  const texts = {
    LIMITS: JSON.stringify({ ...defaultUserLimits, ...limits }),
    COMPONENT_HOSTS: JSON.stringify(componentHosts),
    RUNNER_HOSTS: JSON.stringify(runnerHosts),
  };
  const settings = new Map(Object.entries(texts));
  const template: unknown = JSON.parse(JSON.stringify(assembly.template), (key, value: unknown) =>
    typeof value === 'string' ? (settings.get(key) ?? value) : value,
  );
  return { ...assembly, template };
}
