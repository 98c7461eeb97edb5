import { cut } from '../../../../shared/lib/cut.ts';
import { filterProblem } from '../events/filter-problem.ts';
import {
  filterText,
  hasCondition,
  membersOf,
  otherCondition,
  toggleCondition,
  eventValuesOf,
} from './pattern-conditions.ts';

const VALUE_CHARACTERS = 60;

interface EventValuesProps {
  /** The data of an event. */
  json: string;
  /** The JSON text of a pattern. */
  filter: string;
  onChange: (filter: string) => void;
}

/**
 * The values of an event as buttons, each of which adds a condition to a filter, or takes it out again. A condition of
 * another shape stays as it was typed.
 */
export function EventValues({ json, filter, onChange }: EventValuesProps) {
  const isReadable = filterProblem(filter) === undefined;
  const pattern = membersOf(isReadable ? filter : '');
  return (
    <ul class="plain event-values">
      {eventValuesOf(json).map((value) => {
        const other = otherCondition(pattern, value);
        return (
          <li key={`${value.names.join('.')} ${value.json}`}>
            <button
              type="button"
              class="quiet"
              disabled={!isReadable || other !== undefined}
              aria-pressed={hasCondition(pattern, value)}
              onClick={() => onChange(filterText(toggleCondition(pattern, value)))}
            >
              <span>
                <span class="json-name">{value.names.join('.')}</span>: <code>{cut(value.json, VALUE_CHARACTERS)}</code>
              </span>
            </button>
            {other !== undefined && <span class="hint">The filter has another condition of {other}.</span>}
          </li>
        );
      })}
    </ul>
  );
}
