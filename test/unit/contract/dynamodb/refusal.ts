import { expect } from 'vitest';

/** The error of a refused call: name, message and relevant members. */
export async function refusal(call: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Error) return error as Error & Record<string, unknown>;
    throw error;
  }
  throw new Error('The call was not refused.');
}

/** Expects a ValidationException whose message contains a text. */
export async function expectInvalid(call: Promise<unknown>, message: string | RegExp): Promise<void> {
  const error = await refusal(call);
  if (typeof message === 'string') expect(error.message).toContain(message);
  else expect(error.message).toMatch(message);
  expect(error.name).toBe('ValidationException');
}
