import { RANGE } from '../../shared/domain/component/package-ranges.ts';

/** An import of an npm package: `lodash@^4/get` is `{name: 'lodash', range: '^4', subpath: '/get'}`. */
export interface PackageSpecifier {
  name: string;
  /** A version, range or tag; undefined means latest. */
  range: string | undefined;
  subpath: string;
}

const NAME = /^(?:@[a-z0-9-~][\w.~-]*\/)?[a-z0-9-~][\w.~-]*$/i;

/** Parses a package specifier; undefined for any other text. */
export function parsePackage(specifier: string): PackageSpecifier | undefined {
  const found = /^((?:@[^/@]+\/)?[^/@]+)(?:@([^/]*))?(\/.*)?$/.exec(specifier);
  const [, name = '', range = '', subpath = ''] = found ?? [];
  if (!NAME.test(name) || !RANGE.test(range) || subpath.split('/').includes('..')) return undefined;
  return { name, range: range.trim() || undefined, subpath };
}

/** The module of this package from which authors import `defineSource`. */
const COMPONENT_MODULE = '@tributary-events/tributary/component';

/** The platform module of a specifier, with or without a version. */
export function ownModule(specifier: string): 'platform' | 'types' | undefined {
  if (specifier === COMPONENT_MODULE) return 'types';
  const [, scope, module] = /^@pipedream(hq)?\/(platform|types)(?:@[^/]*)?$/.exec(specifier) ?? [];
  if (module === 'platform') return 'platform';
  return module === 'types' && !scope ? 'types' : undefined;
}
