import { STARTING_POINTS } from '../../../../../shared/domain/component/starting-points.ts';

const KINDS = Object.entries(STARTING_POINTS);

/** Fills in the code of a starting point. */
export const StartFrom = ({ onPick }: { onPick: (code: string) => void }) => (
  <label class="field start-from">
    <span class="label">Start from</span>
    <select
      onChange={({ currentTarget }) => {
        const [kind, point] = KINDS.find(([name]) => name === currentTarget.value) ?? [];
        if (kind !== undefined && point) onPick(point.code({ key: `my-${kind}`, name: `My ${kind}` }));
      }}
    >
      <option value="">Choose a template…</option>
      {KINDS.map(([kind, { about }]) => (
        <option key={kind} value={kind}>
          {kind}: {about}
        </option>
      ))}
    </select>
  </label>
);
