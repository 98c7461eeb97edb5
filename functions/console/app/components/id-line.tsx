import { CopyButton } from './buttons/copy-button.tsx';

interface IdLineProps {
  /** The name of the value: `id`, `endpoint`. */
  name: string;
  children: string;
}

/** A value to copy, such as an id or an endpoint. */
export const IdLine = ({ name, children: value }: IdLineProps) => (
  <span class="id-line">
    <code>{value}</code>
    <CopyButton text={value} label={`Copy ${name}`} />
  </span>
);
