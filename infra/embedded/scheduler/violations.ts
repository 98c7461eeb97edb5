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
    {
      required = false,
      min = 1,
      max,
      pattern,
    }: { required?: boolean; min?: number; max: number; pattern?: RegExp },
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
    if (value.length < min)
      this.#fail(value, path, `Member must have length greater than or equal to ${min}`);
    if (pattern && !pattern.test(value)) {
      this.#fail(value, path, `Member must satisfy regular expression pattern: ${pattern.source}`);
    }
    return value;
  }

  integer(value: unknown, path: string, { min, max }: { min: number; max: number }): number | undefined {
    if (value === undefined) return undefined;
    const number = Number(value);
    if (!Number.isInteger(number)) this.#fail(value, path, 'Member must be an integer');
    else if (number < min) this.#fail(value, path, `Member must have value greater than or equal to ${min}`);
    else if (number > max) this.#fail(value, path, `Member must have value less than or equal to ${max}`);
    return number;
  }

  oneOf<T extends string>(
    value: unknown,
    path: string,
    allowed: readonly T[],
    required = false,
  ): T | undefined {
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
