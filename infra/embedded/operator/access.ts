import { OPERATOR } from '../iam/authorizer.ts';
import { openCloud, type OpenCloudOptions } from '../open-cloud.ts';
import { openUsedDataDirectory } from '../data-directory.ts';
import { connectOperator, type OperatorAccess } from './client.ts';

interface Given extends Omit<OpenCloudOptions, 'assembly' | 'disk'> {
  /** Asked only when no service runs. */
  readonly assembly: () => Promise<OpenCloudOptions['assembly']>;
}

/** The cloud of a data directory for its operator: through the service that runs on it, else by opening it. */
export async function operatorAccess({ assembly, ...given }: Given): Promise<OperatorAccess> {
  const running = await connectOperator(given.dataDir);
  if (running) return running;
  const disk = await openUsedDataDirectory(given.dataDir, given.sync);
  const cloud = await openCloud({ ...given, assembly: await assembly(), disk });
  const { dispatch, outputs, operatorEnvironment: environment } = cloud;
  return {
    dispatch: (call) => dispatch({ ...call, role: OPERATOR }),
    outputs,
    environment,
    close: () => cloud.close(),
  };
}
