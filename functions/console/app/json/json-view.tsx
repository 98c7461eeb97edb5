import { CopyButton } from '../components/buttons/copy-button.tsx';
import { indentJson } from './indent-json.ts';

/** JSON data as it was sent, indented. */
export function JsonView({ json, label }: { json: string; label: string }) {
  const text = indentJson(json);
  return (
    <figure class="copied" aria-label={label}>
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
    </figure>
  );
}
