import { CfnParameter, CfnRule, Fn } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

const REFUSAL =
  'This template adopts data, and was synthesised without a look at the deployed stack, whose own table, bucket and key it may delete. ' +
  'Synthesise it with credentials that may read that template (npx cdk deploy), or look yourself (docs/stages.md) and set the parameter OwnDataIsKept to yes, or the property isAdoptionChecked (docs/construct.md).';

/**
 * CloudFormation refuses a template that adopts data until somebody has made sure that the stack keeps its own.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/rules-section-structure.html
 */
export function guardAdoption(scope: Construct, isChecked: boolean): void {
  const parameter = new CfnParameter(scope, 'OwnDataIsKept', {
    description: 'yes: the deployed stack has no table, bucket and key of its own, or keeps them.',
    allowedValues: ['yes', 'no'],
    default: isChecked ? 'yes' : 'no',
  });
  const assert = Fn.conditionEquals(parameter.valueAsString, 'yes');
  new CfnRule(scope, 'AdoptionIsChecked', { assertions: [{ assert, assertDescription: REFUSAL }] });
}
