import type { Input, Output } from '../../call.ts';
import { validationException } from '../../common-errors.ts';
import type { SchedulerContext } from '../context.ts';
import { groupNotFound } from '../errors.ts';
import { NAME } from '../schedule-name.ts';
import { Violations } from '../violations.ts';

const MAX_RESULTS = 100;
const MEMBERS = ['GroupName', 'MaxResults', 'NextToken'];

/** The schedules of a group by their names, a page at a time. */
export function listSchedules(input: Input, context: SchedulerContext): Promise<Output> {
  const violations = new Violations();
  violations.known(input, MEMBERS, '');
  const groupName = violations.text(input['GroupName'], 'groupName', { ...NAME, required: true }) ?? '';
  const token = violations.text(input['NextToken'], 'nextToken', { max: 2_048 });
  violations.throwIfAny();
  const limit = input['MaxResults'] ?? MAX_RESULTS;
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > MAX_RESULTS)
    throw validationException(`MaxResults must be a whole number from 1 to ${MAX_RESULTS}.`);
  if (!context.hasGroup(groupName)) throw groupNotFound(groupName);
  const after = token === undefined ? '' : Buffer.from(token, 'base64url').toString();
  const found = context.schedules.namesAfter(groupName, after, limit + 1);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return Promise.resolve({
    Schedules: page.flatMap((name) => {
      const schedule = context.schedules.get({ groupName, name });
      return schedule ? [{ ...context.summaryOf(schedule), Target: { Arn: schedule.definition.target.arn } }] : [];
    }),
    ...(last !== undefined && found.length > limit ? { NextToken: Buffer.from(last).toString('base64url') } : {}),
  });
}
