import { type IAspect, Stack } from 'aws-cdk-lib';
import { CfnFunction, CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { CfnTopic } from 'aws-cdk-lib/aws-sns';
import type { IConstruct } from 'constructs';
import type { Stage } from './stage.ts';

/**
 * Gives every resource what rules of an organisation ask for: a key, an access log, and the account in each permission
 * of a service, since they refuse one that names only an ARN. Lambda grants each function the use of the key for its
 * variables.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars-encryption.html
 */
export const governance = ({ kmsKeyArn, accessLogs, stackName }: Stage): IAspect => ({
  visit(node: IConstruct): void {
    if (node instanceof CfnPermission && node.sourceArn !== undefined) node.sourceAccount = Stack.of(node).account;
    if (node instanceof CfnBucket && accessLogs.bucket !== undefined)
      node.loggingConfiguration = { destinationBucketName: accessLogs.bucket, logFilePrefix: `${stackName}/` };
    if (kmsKeyArn === undefined) return;
    if (node instanceof CfnLogGroup) node.kmsKeyId = kmsKeyArn;
    if (node instanceof CfnFunction) node.kmsKeyArn = kmsKeyArn;
    if (node instanceof CfnTopic) node.kmsMasterKeyId = kmsKeyArn;
    if (node instanceof CfnBucket) {
      const serverSideEncryptionByDefault = { sseAlgorithm: 'aws:kms', kmsMasterKeyId: kmsKeyArn };
      const rule = { bucketKeyEnabled: true, serverSideEncryptionByDefault };
      node.bucketEncryption = { serverSideEncryptionConfiguration: [rule] };
    }
  },
});
