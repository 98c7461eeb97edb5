import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Slow files. They start first, so that other files run meanwhile and none runs alone at the end. */
const SLOW = [
  'long/other-nodes',
  'long/as-user',
  'unit/functions/builder/real-components',
  'compat/sample',
  'service/kill-9',
  'model/random-workloads',
  'console/browser/every-page',
  'attacks/resources',
  'long/container',
  'compat/hooks',
  'service/start',
  'bin/admin/service',
  'api/configure',
  'e2e/untrusted-components',
  'e2e/retries',
  'budgets',
  'e2e/large',
  'unit/functions/runner/untrusted-code',
  'e2e/timers',
  'regressions/stopped-while-starting',
  'compat/timers',
  'bin/admin/remove-user',
  'api/properties',
  'unit/functions/builder/packages',
  'unit/contract/sqs/quotas',
  'unit/contract/sqs/standard-queue',
  'service/readme-tour',
  'attacks/attacks',
  'floods/floods',
  'long/package',
].map((name) => `/test/${name}.test.ts`);

/** Position of a file in the list; other files come after it, in Vitest's order. */
const place = ({ moduleId }: TestSpecification): number => {
  const found = SLOW.findIndex((name) => moduleId.endsWith(name));
  return found < 0 ? SLOW.length : found;
};

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => place(a) - place(b));
  }
}
