import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    repetitions: 'few' | 'many';
  }
}

/** How often a test repeats itself: in `npm test`, and in `npm run test:long`. */
export const repetitions = (usual: number, long: number): number =>
  inject('repetitions') === 'many' ? long : usual;
