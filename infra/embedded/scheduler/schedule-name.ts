import type { Input } from '../call.ts';
import { Violations } from './violations.ts';

/** A name is unique in its group. */
export interface ScheduleName {
  readonly groupName: string;
  readonly name: string;
}

export const DEFAULT_GROUP = 'default';

/** Names of schedules and groups. */
export const NAME = { max: 64, pattern: /^[0-9a-zA-Z\-_.]+$/ };

export function nameIn(input: Input): ScheduleName {
  const violations = new Violations();
  const name = violations.text(input['Name'], 'name', { ...NAME, required: true });
  const groupName = violations.text(input['GroupName'], 'groupName', NAME);
  violations.throwIfAny();
  return { groupName: groupName ?? DEFAULT_GROUP, name: name ?? '' };
}
