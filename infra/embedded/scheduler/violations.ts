import type { Input } from '../call.ts';
import { validationException } from '../common-errors.ts';

/** Collects all constraint violations of an input for one error, as AWS does. */
export class Violations {
  readonly #found: string[] = [];

  known(input: Input, members: readonly string[], prefix: string): void {
    for (const [name, value] of Object.entries(input)) {
      if (value !== undefined && !members.includes(name)) {
        this.#found.push(`'${prefix}${name}' is not supported here`);
      }
    }
  }

  missing(path: string): void {
    this.#found.push(`Value null at '${path}' failed to satisfy constraint: Member must not be null`);
  }

  text(
    value: unknown,
    path: string,
    { required = false, max, pattern }: { required?: boolean; max: number; pattern?: RegExp },
  ): string | undefined {
    if (value === undefined || value === null) {
      if (required) this.missing(path);
      return undefined;
    }
    if (typeof value !== 'string') {
      this.#fail(value, path, 'Member must be a string');
      return undefined;
    }
    if (value.length > max) this.#fail(value, path, `Member must have length less than or equal to ${max}`);
    if (value.length === 0) this.#fail(value, path, 'Member must have length greater than or equal to 1');
    if (pattern && !pattern.test(value)) {
      this.#fail(value, path, `Member must satisfy regular expression pattern: ${pattern.source}`);
    }
    return value;
  }

  oneOf<T extends string>(value: unknown, path: string, allowed: readonly T[], required = false): T | undefined {
    if (value === undefined) {
      if (required) this.missing(path);
      return undefined;
    }
    const found = allowed.find((one) => one === value);
    if (!found) this.#fail(value, path, `Member must satisfy enum value set: [${allowed.join(', ')}]`);
    return found;
  }

  throwIfAny(): void {
    const { length } = this.#found;
    if (length > 0)
      throw validationException(
        `${length} validation error${length > 1 ? 's' : ''} detected: ${this.#found.join('; ')}`,
      );
  }

  #fail(value: unknown, path: string, constraint: string): void {
    this.#found.push(`Value '${String(value)}' at '${path}' failed to satisfy constraint: ${constraint}`);
  }
}
