import { DEADLINE_MS } from './until.ts';

/** Only tests that call `trustRegistry` have them. */
const { NODE_EXTRA_CA_CERTS: certificates = '' } = process.env;
delete process.env['NODE_EXTRA_CA_CERTS'];

/**
 * V8 optimises code that has run four times as long as by default: most code of tests runs too seldom to repay
 * it. Node 24 refuses the flag.
 */
const optimiseLater = process.version.startsWith('v20.') ? ['--interrupt-budget=270000'] : [];

/**
 * Options of every test project. Time limits are for a test that hangs: a condition that does not come true ends its
 * test earlier (`until.ts`), and a busy machine must not end any.
 */
const common = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: DEADLINE_MS } },
  restoreMocks: true,
  pool: 'forks' as const,
  // A larger young generation is collected less often, and collections by one thread take less processor time.
  execArgv: ['--max-semi-space-size=64', '--min-semi-space-size=32', '--single-threaded-gc', ...optimiseLater],
  provide: { certificates, repetitions: 'few' as const },
  // The service itself says which versions of Node it takes.
  env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
};

/** Options of tests that need no stack. */
export const unit = common;

/** Options of tests that run the synthesised stack. */
export const stack = {
  ...common,
  globalSetup: 'test/support/assembly.ts',
  provide: { ...common.provide, faults: 'none' as const },
};

/** Options of tests that run the stack with injected faults. */
export const withFaults = { ...stack, provide: { ...stack.provide, faults: 'injected' as const } };

/** Options of tests that repeat themselves more often than in `npm test`. */
export const many = {
  testTimeout: 1_200_000,
  hookTimeout: 1_200_000,
  provide: { ...stack.provide, repetitions: 'many' as const },
};
