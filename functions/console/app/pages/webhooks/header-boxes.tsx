import { useState } from 'preact/hooks';
import { WEBHOOK_TEXTS } from '../../../../../shared/domain/setting-texts.ts';
import { TextField } from '../../components/text-field.tsx';
import type { HeaderRow } from './webhook-fields.ts';

interface HeaderBoxesProps {
  rows: readonly HeaderRow[];
  onChange: (rows: readonly HeaderRow[]) => void;
}

/** Name and value of each header. Values are hidden until a person asks for them: they may be credentials. */
export function HeaderBoxes({ rows, onChange }: HeaderBoxesProps) {
  const [isShown, setShown] = useState(false);
  const set = (row: HeaderRow, change: Partial<HeaderRow>): void =>
    onChange(rows.map((each) => (each === row ? { ...row, ...change } : each)));
  return (
    <fieldset class="header-boxes">
      <legend class="label">
        Headers <span class="optional">optional</span>
      </legend>
      <p class="hint">{WEBHOOK_TEXTS.headers}</p>
      {rows.map((row, n) => (
        <div class="header-row" key={n}>
          <TextField
            label="Header name"
            value={row.name}
            isCode
            placeholder="authorization"
            onChange={(name) => set(row, { name })}
          />
          <TextField
            label="Header value"
            value={row.value}
            isCode
            isMasked={!isShown}
            onChange={(value) => set(row, { value })}
          />
          <button
            type="button"
            aria-label={`Remove the header ${row.name}`}
            onClick={() => onChange(rows.filter((each) => each !== row))}
          >
            Remove
          </button>
        </div>
      ))}
      <div class="actions">
        <button type="button" onClick={() => onChange([...rows, { name: '', value: '' }])}>
          Add header
        </button>
        {rows.length > 0 && (
          <button type="button" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            Show values
          </button>
        )}
      </div>
    </fieldset>
  );
}
