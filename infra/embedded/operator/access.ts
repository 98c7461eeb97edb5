import { OPERATOR } from '../iam/authorizer.ts';
import type { OpenCloudOptions } from '../open-cloud.ts';
import { openUsedDataDirectory } from '../disk/data-directory.ts';
import { connectOperator, type OperatorAccess } from './client.ts';

interface OperatorAccessOptions extends Omit<OpenCloudOptions, 'assembly' | 'disk'> {
  /** Called only if no service runs. */
  readonly assembly: () => Promise<OpenCloudOptions['assembly']>;
}

/** The operator's access to a data directory: through the running service, else by opening the data directory. */
export async function operatorAccess({ assembly, ...options }: OperatorAccessOptions): Promise<OperatorAccess> {
  const running = await connectOperator(options.dataDir);
  if (running) return running;
  const disk = await openUsedDataDirectory(options.dataDir, options.sync);
  // Loading it takes half of a command's time, and a running service has loaded it already.
  const { openCloud } = await import('../open-cloud.ts');
  const cloud = await openCloud({ ...options, assembly: await assembly(), disk });
  const { dispatch, outputs, operatorEnvironment: environment } = cloud;
  return {
    dispatch: (call) => dispatch({ ...call, role: OPERATOR }),
    backUp: cloud.services.backups.make,
    runningVersion: undefined,
    outputs,
    environment,
    close: () => cloud.close(),
  };
}
