import { BaseSequencer, type TestSpecification } from 'vitest/node';

const isSlow = ({ moduleId }: TestSpecification): boolean => /\.(?:slow|both)\.(?:\w+\.)?test\.ts$/.test(moduleId);

/**
 * Files whose names say that they are slow, or repeat themselves, start first, so that other files run meanwhile and
 * none runs alone at the end.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
