import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    repetitions: 'few' | 'many';
  }
}

/** Number of repetitions of a test: in `npm test`, and in `npm run test:long`. */
export const repetitions = (usual: number, long: number): number =>
  inject('repetitions') === 'many' ? long : usual;
