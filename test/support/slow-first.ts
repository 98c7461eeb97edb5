import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Slow files, which mostly wait. They start first, so that other files run meanwhile. */
const SLOW = [
  'e2e/large',
  'e2e/untrusted-components',
  'e2e/retries',
  'e2e/timers',
  'service/kill-9',
  'service/start',
  'compat/hooks',
  'compat/sample',
  'bin/admin/service',
  'api/configure',
  'unit/contract/sqs/quotas',
  'unit/contract/sqs/standard-queue',
  'unit/regressions/dying-runner-process',
  'service/readme-tour',
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
