import { TextField } from '../components/text-field.tsx';
import { type FieldRow, ownRow } from './field-rows.ts';
import { SecretField } from './secret-field.tsx';

interface FieldBoxesProps {
  rows: readonly FieldRow[];
  onChange: (rows: readonly FieldRow[]) => void;
  /** Whether further fields can be added. */
  isOpen: boolean;
  /** The names of fields that have a value. */
  stored?: readonly string[];
}

/** A hidden box for each field of an account. Stored values are not shown. */
export function FieldBoxes({ rows, onChange, isOpen, stored }: FieldBoxesProps) {
  const set = (row: FieldRow, change: Partial<FieldRow>): void =>
    onChange(rows.map((each) => (each === row ? { ...row, ...change } : each)));
  return (
    <>
      {rows.map((row, n) =>
        row.isNamedHere ? (
          <div class="own-field" key={n}>
            <TextField label="Field name" value={row.name} isCode onChange={(name) => set(row, { name })} />
            <SecretField label="Value" value={row.value} onChange={(value) => set(row, { value })} />
          </div>
        ) : (
          <SecretField
            key={row.name}
            label={row.name}
            value={row.value}
            placeholder={placeholderOf(row.name, stored)}
            onChange={(value) => set(row, { value })}
          />
        ),
      )}
      {isOpen && (
        <div class="actions">
          <button type="button" onClick={() => onChange([...rows, ownRow()])}>
            Add field
          </button>
        </div>
      )}
    </>
  );
}

function placeholderOf(name: string, stored: readonly string[] | undefined): string {
  if (stored === undefined) return '';
  return stored.includes(name) ? 'as it is' : 'not set';
}
