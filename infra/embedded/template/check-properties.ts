import type { PropertyTable } from './resource-type.ts';
import { TemplateError } from './template-error.ts';

interface Location {
  readonly logicalId: string;
  readonly type: string;
}

/** Throws at the first property, at any depth, that the table of the type lacks. */
export function checkProperties(table: PropertyTable, properties: unknown, location: Location): void {
  check('', properties);

  function check(path: string, value: unknown): void {
    const deeper = path === '' || hasDeeperEntries(table, path);
    if (!deeper) {
      if (Object.hasOwn(table, path)) return;
      throw new TemplateError(
        `${location.logicalId} (${location.type}) has the property ${path}, which is not interpreted.`,
      );
    }
    if (Array.isArray(value)) for (const element of value) check(`${path}[]`, element);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, field] of Object.entries(value)) check(path === '' ? name : `${path}.${name}`, field);
    } else if (!Object.hasOwn(table, path)) {
      throw new TemplateError(
        `${location.logicalId} (${location.type}) has no object or list as its property ${path}.`,
      );
    }
  }
}

function hasDeeperEntries(table: PropertyTable, path: string): boolean {
  return Object.keys(table).some((entry) => entry.startsWith(`${path}.`) || entry.startsWith(`${path}[]`));
}
