import type { HonestUser } from './user.ts';
import { missingOf, type PreparedWork, range, type Work } from './work.ts';

const BUILDS = 40;

/** A CI publishes all components of a repository at once. */
function builds(user: HonestUser): Promise<PreparedWork> {
  const built = new Set<string>();
  const publish = async (n: number) => {
    const code = `export default { name: 'Component ${n}', version: '0.0.1', run() { this.$emit({ n: ${n} }); } };`;
    await user.post('/components', { component_code: code });
    built.add(String(n));
  };
  return Promise.resolve({
    run: async () => void (await Promise.all(range(BUILDS).map(publish))),
    missing: () => missingOf(range(BUILDS).map(String), built),
    sourceIds: [],
    stop: () => Promise.resolve(),
  });
}

export const buildWorks: Work[] = [{ name: `${BUILDS} builds of a CI at once`, prepare: builds }];
