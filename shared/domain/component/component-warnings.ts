import type { ComponentDescription } from './component.ts';
import { memberLike, nearMatch } from './component-members.ts';

const VALUE_TYPES = ['string', 'integer', 'number', 'boolean', 'object', 'any'] as const;
export const PROP_TYPES: readonly string[] = [
  ...VALUE_TYPES,
  ...VALUE_TYPES.map((type) => `${type}[]`),
  'sql',
  'http_request',
  'alert',
  'app',
  'data_store',
  'dir',
  '$.service.db',
  '$.interface.http',
  '$.interface.timer',
  '$.interface.apphook',
];
/** Families of types of other services, which are values here. */
const TYPE_FAMILIES = /^\$\.(?:airtable|discord)\./;

type WarningsInput = Pick<
  ComponentDescription,
  'props' | 'hasRun' | 'hooks' | 'unknownMembers' | 'arrows' | 'computedRequires' | 'unknownReads'
>;

/** One sentence for each slip of a component that is legal nevertheless. */
export function componentWarnings({
  props,
  hasRun,
  hooks,
  unknownMembers = [],
  arrows = [],
  computedRequires = [],
  unknownReads = [],
}: WarningsInput): string[] {
  const types = props
    .filter(({ type }) => !PROP_TYPES.includes(type) && !TYPE_FAMILIES.test(type))
    .map(({ name, type }) => {
      const meant = nearMatch(type, PROP_TYPES);
      const mend = meant === undefined ? 'it takes any value.' : `did you mean "${meant}"?`;
      return `The prop ${name} has the unknown type "${type}"; ${mend}`;
    });
  const idle = 'The component has neither run nor hooks: it only emits what its interfaces receive.';
  const members = unknownMembers.flatMap((member) => {
    const meant = memberLike(member);
    return meant === undefined ? [] : [`The component has an unknown member ${member}; did you mean ${meant}?`];
  });
  const inArrows = arrows.map(
    (name) =>
      `${name} is an arrow function, in which this is not the component: write ${name.split('.').at(-1)}(…) { … }.`,
  );
  const requires = computedRequires.map(
    (position) =>
      `${position}: require of a computed name finds no file and no package of the component, only modules of Node; write the name as a literal.`,
  );
  const reads = unknownReads.map(
    ({ name, meant }) =>
      `The component reads this.${name}, and has neither a prop nor a method ${name}${meant === undefined ? '.' : `; did you mean this.${meant}?`}`,
  );
  return [...types, ...(hasRun || hooks.length > 0 ? [] : [idle]), ...members, ...inArrows, ...requires, ...reads];
}
