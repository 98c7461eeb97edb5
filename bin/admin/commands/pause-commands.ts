import * as z from 'zod';
import { refusedFailure } from '../../tributary/failures.ts';
import { operatorCommand, type OperatorCommand } from '../operator-command.ts';
import { QUEUE_NAMES } from '../queue-names.ts';

const QUEUES = QUEUE_NAMES.join(', ');

const switching = (
  usage: 'pause' | 'resume',
  { about, example, text }: { about: string; example: string; text: string },
): OperatorCommand =>
  operatorCommand({
    usage,
    about,
    input: z.strictObject({}),
    examples: [
      [`tributary admin ${usage}`, example],
      [`tributary admin ${usage} --stack TributaryProd`, 'of a stack on AWS'],
    ],
    run: async ({ names, setFeed }) => {
      const mappings = QUEUE_NAMES.flatMap((name) => names.queues[name].mapping ?? []);
      if (mappings.length < QUEUE_NAMES.length)
        throw refusedFailure('The stack lacks the output Queues: deploy this version of it first.');
      await Promise.all(mappings.map((mapping) => setFeed(mapping, usage === 'resume')));
      return { json: { consuming: usage === 'resume', queues: QUEUE_NAMES }, text };
    },
  });

export const pauseService = switching('pause', {
  about: 'Stop runs, timers and deliveries of all users; what arrives waits in the queues.',
  example: 'until admin resume, also after a restart',
  text: `No function takes messages of the queues ${QUEUES} any more. What arrives waits there.`,
});

export const resumeService = switching('resume', {
  about: 'Let runs, timers and deliveries go on after a pause.',
  example: 'works off what waits in the queues',
  text: `Functions take messages of the queues ${QUEUES} again.`,
});
