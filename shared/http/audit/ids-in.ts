import { prefixes } from '../../domain/id.ts';

/** Only ids of ours: any other text of a request is the caller's. */
const ID = new RegExp(`^(?:(?:${Object.values(prefixes).join('|')})_[A-Za-z0-9]{1,64}|\\d{1,16}-\\d{1,16})$`);

export const idsIn = (values: readonly unknown[]): string[] => [
  ...new Set(values.filter((value) => typeof value === 'string').filter((text) => ID.test(text))),
];
