import { checkoutAssembly } from '../../../bin/assembly.ts';
import { builtAssemblyIn } from '../../../bin/built-assembly.ts';
import { runService } from '../../../bin/run-service.ts';

/** `npm start` of a stage that allows a user 5,000 sources, 5,000 webhooks and 2,000 live streams. */
const assemblyOf = builtAssemblyIn(await checkoutAssembly());
await runService({ isPaused: false }, (stage, directory) =>
  assemblyOf({ ...stage, limits: { ...stage.limits, sources: 5_000, webhooks: 5_000, liveStreams: 2_000 } }, directory),
);
