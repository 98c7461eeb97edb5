import { CopyButton } from '../buttons/copy-button.tsx';
import { CommandText } from './command-text.tsx';

interface CopyLineProps {
  /** The name of the text: `curl line`. */
  name: string;
  children: string;
}

/** A line to be copied into a terminal. */
export const CopyLine = ({ name, children: text }: CopyLineProps) => (
  <figure class="copied" aria-label={name}>
    <pre tabIndex={0}>
      <CommandText>{text}</CommandText>
    </pre>
    <CopyButton text={text} label={`Copy ${name}`} />
  </figure>
);
