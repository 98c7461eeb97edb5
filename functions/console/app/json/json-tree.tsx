import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { entriesOf, isScalarKind, type JsonEntry, jsonKind } from './json-node.ts';

/** Characters up to which an inner object or array is unfolded at first. */
const UNFOLDED_CHARACTERS = 600;
const UNFOLDED_DEPTH = 6;
/** Entries of one object or array that are shown at a time. */
const CHUNK = 100;

interface JsonTreeProps {
  /** JSON text, of which the tree changes nothing but the space between its parts. */
  json: string;
  isUnfolded: boolean;
}

/** JSON data in colours. Objects and arrays fold. */
export const JsonTree = ({ json, isUnfolded }: JsonTreeProps) => (
  <div class="json-tree" tabIndex={0}>
    <Part key={isUnfolded} entry={{ name: undefined, json }} depth={0} end="" isUnfolded={isUnfolded} />
  </div>
);

/** Whether a tree folds anything at first. */
export const hasFolds = (json: string): boolean => json.length > UNFOLDED_CHARACTERS;

interface PartProps {
  entry: JsonEntry;
  depth: number;
  /** The comma after an entry that is not the last. */
  end: string;
  isUnfolded: boolean;
}

function Part(props: PartProps) {
  const { entry, end } = props;
  const kind = jsonKind(entry.json);
  if (!isScalarKind(kind)) return <Fold {...props} isObject={kind === 'object'} />;
  return (
    <div class="json-row">
      <Name entry={entry} />
      <span class={`json-${kind}`}>{entry.json}</span>
      {end}
    </div>
  );
}

const Name = ({ entry: { name } }: { entry: JsonEntry }) =>
  name === undefined ? null : (
    <>
      <span class="json-name">{name}</span>:{' '}
    </>
  );

function Fold({ entry, depth, end, isUnfolded, isObject }: PartProps & { isObject: boolean }) {
  const entries = entriesOf(entry.json);
  const isSmall = entry.json.length <= UNFOLDED_CHARACTERS && depth < UNFOLDED_DEPTH;
  const [isOpen, setOpen] = useState(isUnfolded || depth === 0 || isSmall);
  const [opening, closing] = isObject ? (['{', '}'] as const) : (['[', ']'] as const);
  if (entries.length === 0)
    return (
      <div class="json-row">
        <Name entry={entry} />
        {opening + closing + end}
      </div>
    );
  return (
    <details class="json-fold" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      {/* The count and the closing bracket of a folded part come from the style sheet: they are no part of the text. */}
      <summary data-rest={` ${countOf(entries.length, isObject)} ${closing}${end}`}>
        <Name entry={entry} />
        {opening}
      </summary>
      {isOpen && (
        <>
          <div class="json-entries">
            <Entries entries={entries} depth={depth + 1} isUnfolded={isUnfolded} />
          </div>
          <div class="json-row">{closing + end}</div>
        </>
      )}
    </details>
  );
}

function countOf(count: number, isObject: boolean): string {
  const noun = isObject ? 'member' : 'element';
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

interface EntriesProps {
  entries: readonly JsonEntry[];
  depth: number;
  isUnfolded: boolean;
}

function Entries({ entries, depth, isUnfolded }: EntriesProps): ComponentChildren {
  const [limit, setLimit] = useState(CHUNK);
  const rest = entries.length - limit;
  return (
    <>
      {entries.slice(0, limit).map((entry, n) => (
        <Part key={n} entry={entry} depth={depth} end={n === entries.length - 1 ? '' : ','} isUnfolded={isUnfolded} />
      ))}
      {rest > 0 && (
        <button type="button" class="quiet" onClick={() => setLimit(limit + CHUNK)}>
          {`${Math.min(rest, CHUNK)} more of ${rest}`}
        </button>
      )}
    </>
  );
}
