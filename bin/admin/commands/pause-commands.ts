import * as z from 'zod';
import { refusedFailure } from '../../tributary/failures.ts';
import { operatorCommand } from '../operator-command.ts';
import type { Operator } from '../operator.ts';
import { QUEUE_NAMES } from '../queue-names.ts';

const QUEUES = QUEUE_NAMES.join(', ');

/** The mappings that feed functions from the queues. */
function mappingsOf({ names }: Pick<Operator, 'names'>): string[] {
  const mappings = QUEUE_NAMES.flatMap((name) => names.queues[name].mapping ?? []);
  if (mappings.length === QUEUE_NAMES.length) return mappings;
  throw refusedFailure('The stack lacks the output Queues: deploy this version of it first.');
}

export const pauseService = operatorCommand({
  usage: 'pause',
  about: 'Stop runs, timers and deliveries of all users; what arrives waits in the queues.',
  options: [['--api', 'also refuse changes over the API, with 503; reads and endpoints go on']],
  input: z.strictObject({ api: z.boolean().default(false) }),
  examples: [
    ['tributary admin pause', 'until admin resume, also after a restart'],
    ['tributary admin pause --api --stack TributaryProd', 'of a stack on AWS, before a restoration'],
  ],
  run: async (operator, { api }) => {
    const mappings = mappingsOf(operator);
    await operator.marks.pause(operator.now(), { api });
    await Promise.all(mappings.map((mapping) => operator.setFeed(mapping, false)));
    return {
      json: { consuming: false, queues: QUEUE_NAMES, ...(api ? { api_changes: false } : {}) },
      text:
        `No function takes messages of the queues ${QUEUES} any more. What arrives waits there.` +
        (api ? ' The API refuses changes, within 10 s.' : ''),
    };
  },
});

export const resumeService = operatorCommand({
  usage: 'resume',
  about: 'Let runs, timers and deliveries, and changes over the API, go on after a pause.',
  input: z.strictObject({}),
  examples: [
    ['tributary admin resume', 'works off what waits in the queues'],
    ['tributary admin resume --stack TributaryProd', 'of a stack on AWS'],
  ],
  run: async (operator) => {
    await Promise.all(mappingsOf(operator).map((mapping) => operator.setFeed(mapping, true)));
    await operator.marks.resume();
    return {
      json: { consuming: true, queues: QUEUE_NAMES, api_changes: true },
      text: `Functions take messages of the queues ${QUEUES} again. The API takes changes, within 10 s.`,
    };
  },
});
