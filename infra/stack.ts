import { DefaultStackSynthesizer, type IStackSynthesizer, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Service, type ServiceProps } from './service.ts';

/** The stack of `npx cdk deploy` and of `npm start`: the service, and nothing else. */
export class TributaryStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { stage, assetOf, isAdoptionChecked = false, ...props }: StackProps & ServiceProps,
  ) {
    super(scope, id, {
      description: 'Tributary: event sources and subscriptions',
      synthesizer: plainSynthesizer(),
      terminationProtection: stage.terminationProtection,
      ...props,
    });
    // Logical ids leave `Default` out, so deployed stacks keep theirs.
    new Service(this, 'Default', { stage, assetOf, isAdoptionChecked });
  }
}

/**
 * A synthesizer without the bootstrap version rule, which would add parameters and intrinsic functions to the template.
 */
function plainSynthesizer(): IStackSynthesizer {
  // The class declares optional members less strictly than the interface.
  return new DefaultStackSynthesizer({ generateBootstrapVersionRule: false }) as IStackSynthesizer;
}
