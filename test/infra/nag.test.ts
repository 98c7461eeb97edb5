import { App } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { readStage } from '../../infra/read-stage.ts';
import { tableIn } from '../support/doc-table.ts';
import { stackWithoutCode } from '../support/stack.ts';

interface Finding {
  rule: string;
  /** Path of the construct, or the detail that the rule names. */
  finding: string;
}

/** Everything that the rules find in the stack of a stage. */
function findingsOf(name: string | undefined): Finding[] {
  const { violations } = new AwsSolutionsChecks(new App()).validateScope(stackWithoutCode(readStage(name)).stack);
  return violations.flatMap(({ ruleName, violatingResources = [] }) => {
    const [, rule = ruleName, detail] = /^([^[]+)\[(.*)\]$/.exec(ruleName) ?? [];
    return violatingResources.map(({ constructPath = '' }) => ({
      rule,
      finding: detail ?? constructPath.replace(/^Tributary\/|\/Resource$/g, ''),
    }));
  });
}

const withoutCode = (cell = '') => cell.replace(/^`|`$/g, '');
const allowed = tableIn('docs/security.md', 'cdk-nag').map(([rule, finding, reason = '']) => ({
  rule: withoutCode(rule),
  finding: withoutCode(finding),
  reason,
}));
const isAllowed = (pattern: Finding, { rule, finding }: Finding) =>
  pattern.rule === rule && matches(pattern.finding, finding);

/** `*` stands for any text. */
function matches(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(text);
}

describe.each(['dev', 'prod', undefined])('the stack of the stage %s', (name) => {
  const findings = findingsOf(name);

  test('has only findings that docs/security.md explains', () => {
    expect(findings.filter((finding) => !allowed.some((each) => isAllowed(each, finding)))).toEqual([]);
  });

  test('has every finding that docs/security.md explains', () => {
    expect(allowed.filter((each) => !findings.some((finding) => isAllowed(each, finding)))).toEqual([]);
    expect(allowed.length).toBeGreaterThan(0);
    for (const { reason } of allowed) expect(reason.length).toBeGreaterThan(40);
  });
});
