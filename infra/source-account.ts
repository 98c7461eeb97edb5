import { type IAspect, Stack } from 'aws-cdk-lib';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import type { IConstruct } from 'constructs';

/**
 * Names the account in each permission of a service. Rules of organisations refuse a stack whose permissions name only
 * an ARN.
 */
export const sourceAccount: IAspect = {
  visit(node: IConstruct): void {
    if (node instanceof CfnPermission && node.sourceArn !== undefined) node.sourceAccount = Stack.of(node).account;
  },
};
