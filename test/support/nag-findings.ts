import { App } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { tableIn } from './doc-table.ts';

interface Finding {
  rule: string;
  /** Path of the construct, or the detail that the rule names. */
  finding: string;
}

/** Everything that the rules find in a stack, without the ids around the service. */
export function findingsIn(stack: IConstruct, ids = ''): Finding[] {
  const { violations } = new AwsSolutionsChecks(new App()).validateScope(stack);
  return violations.flatMap(({ ruleName, violatingResources = [] }) => {
    const [, rule = ruleName, detail] = /^([^[]+)\[(.*)\]$/.exec(ruleName) ?? [];
    return violatingResources.map(({ constructPath = '' }) => ({
      rule,
      finding:
        detail?.replace(`<${ids}`, '<') ??
        constructPath.replace(`${stack.node.path}/`, '').replace(/^(?:\w+\/)?Default\/|\/Resource$/g, ''),
    }));
  });
}

const withoutCode = (cell = '') => cell.replace(/^`|`$/g, '');

/** The findings that docs/security.md explains. */
export const explainedFindings = tableIn('docs/security.md', 'cdk-nag').map(([rule, finding, reason = '']) => ({
  rule: withoutCode(rule),
  finding: withoutCode(finding),
  reason,
}));

export const isExplained = (pattern: Finding, { rule, finding }: Finding) =>
  pattern.rule === rule && matches(pattern.finding, finding);

/** `*` stands for any text. */
function matches(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(text);
}
