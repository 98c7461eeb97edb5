import { TextField } from '../components/text-field.tsx';

interface TagsFieldProps {
  value: string;
  onChange: (value: string) => void;
  hint: string;
}

/** A box for tags between commas. */
export const TagsField = ({ value, onChange, hint }: TagsFieldProps) => (
  <TextField
    label="Tags"
    isOptional
    hint={`${hint} Separate them by commas.`}
    placeholder="team:billing, production"
    value={value}
    onChange={onChange}
  />
);
