import { assemblyOf } from '../../../bin/assembly.ts';
import { runService } from '../../../bin/run-service.ts';

/** `npm start` of a stage that allows a user 5,000 webhooks. */
await runService([], (stage, directory, stopped) =>
  assemblyOf({ ...stage, limits: { ...stage.limits, webhooks: 5_000 } }, directory, stopped),
);
