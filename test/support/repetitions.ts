import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    repetitions: 'few' | 'many';
  }
}

/** Number of repetitions of a test, or its cases: in `npm test`, and in `npm run test:long`. */
export const repetitions = <T>(usual: T, long: T): T => (inject('repetitions') === 'many' ? long : usual);
