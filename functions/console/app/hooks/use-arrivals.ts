import { useState } from 'preact/hooks';
import { createArrivals } from '../arrivals.ts';

/** Tells which rows of a list came while it was shown. */
export const useArrivals = (ids: readonly string[]): ((id: string) => boolean) => useState(createArrivals)[0](ids);
