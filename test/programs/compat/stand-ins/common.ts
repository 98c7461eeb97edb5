import type { Call, Rule } from '../stand-in.ts';

/** Shared by the stand-ins: names of rules, and the titles of the two deliveries. */
export const AGENT = { 'user-agent': '@PipedreamHQ/pipedream v0.1' };
export const REGISTER = 'register';
export const register = (more: Omit<Rule, 'name'>): Rule => ({ name: REGISTER, ...more });
export const remove = (more: Omit<Rule, 'name'>): Rule => ({ name: 'remove', ...more });
export const bodyOf = (call: Call) => call.body as Record<string, unknown>;
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const TITLES = ['First', 'Second'];
/** Title of the n-th delivery, counted from 1. */
export const title = (n: number) => TITLES[n - 1] ?? '';
