import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, type IFunction, type IVersion } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Stage } from '../stage.ts';
import type { RequestTarget } from './http-apis.ts';
import type { ServiceFunction } from './service-function.ts';

interface CanaryProps {
  minutes: Exclude<Stage['canaryMinutes'], 0>;
  /** Each ends the shift and takes it back. */
  alarms: Alarm[];
}

/**
 * Shifts requests to the new version of a function: a tenth at first, all later.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-updatepolicy.html
 */
export class Canary extends Construct {
  private readonly application: LambdaApplication;
  private readonly role: Role;
  private readonly props: CanaryProps;

  constructor(scope: Construct, id: string, props: CanaryProps) {
    super(scope, id);
    this.props = props;
    this.application = new LambdaApplication(this, 'Application');
    // Deployment groups add AWS's managed policy for CodeDeploy.
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
  }

  /** The alias that gets the requests in place of the function. */
  of({ node, lambda }: ServiceFunction): RequestTarget {
    const { minutes, alarms } = this.props;
    // The classes declare optional members less strictly than their interfaces.
    const version = lambda.currentVersion as IVersion;
    const alias = new Alias(this, node.id, { aliasName: 'requests', version });
    new LambdaDeploymentGroup(this, `${node.id}Shift`, {
      application: this.application,
      role: this.role,
      alias,
      deploymentConfig: LambdaDeploymentConfig[`CANARY_10PERCENT_${minutes}MINUTES`],
      alarms,
    });
    return { node, lambda: alias as IFunction };
  }
}
