import { compilePattern } from '../../../../shared/domain/event/event-pattern/compile-pattern.ts';
import type { Sample } from '../drafts/sample-store.ts';

/** The names of the samples that a pattern accepts; undefined for a pattern that is not valid. */
export function acceptedSamples(samples: readonly Sample[], filter: string): readonly string[] | undefined {
  const pattern: unknown = JSON.parse(filter);
  const compiled = compilePattern(pattern, 'filter');
  if (!compiled.ok) return undefined;
  const isAccepted = ({ json }: Sample): boolean => {
    const outcome = compiled.matches(JSON.parse(json));
    if (typeof outcome === 'boolean') return outcome;
    let step = outcome.next();
    while (step.done !== true) step = outcome.next();
    return step.value;
  };
  return samples.filter(isAccepted).map(({ name }) => name);
}
