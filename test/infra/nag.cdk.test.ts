import { describe, expect, test } from 'vitest';
import { readStage } from '../../infra/read-stage.ts';
import { explainedFindings, findingsIn, isExplained } from '../support/nag-findings.ts';
import { stackWithoutCode } from '../support/stack.ts';

describe.each(['dev', 'prod', undefined])('the stack of the stage %s', (name) => {
  const findings = findingsIn(stackWithoutCode(readStage(name)).stack);

  test('has only findings that docs/security.md explains', () => {
    expect(findings.filter((finding) => !explainedFindings.some((each) => isExplained(each, finding)))).toEqual([]);
  });

  test('has every finding that docs/security.md explains', () => {
    expect(explainedFindings.filter((each) => !findings.some((finding) => isExplained(each, finding)))).toEqual([]);
    expect(explainedFindings.length).toBeGreaterThan(0);
    for (const { reason } of explainedFindings) expect(reason.length).toBeGreaterThan(40);
  });
});
