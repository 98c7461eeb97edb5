import { useState } from 'preact/hooks';
import { useNotices } from '../notices.tsx';

interface CopyButtonProps {
  text: string;
  /** The accessible name. */
  label?: string;
  /** The visible text; an icon without one. */
  children?: string;
}

const COPIED_MS = 2_000;

/** Copies a text to the clipboard. */
export function CopyButton({ text, label = 'Copy', children }: CopyButtonProps) {
  const { say, refuse } = useNotices();
  const [isCopied, setCopied] = useState(false);
  const copied = (): void => {
    say('Copied.');
    setCopied(true);
    setTimeout(() => {
      setCopied(false);
    }, COPIED_MS);
  };
  return (
    <button
      type="button"
      class={children === undefined ? 'quiet icon' : ''}
      aria-label={label}
      title={label}
      onClick={() => {
        copy(text).then(copied, refuse);
      }}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" class="line-icon">
        <path d={isCopied ? 'M3 8.5 6.5 12 13 4.5' : 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7'} />
      </svg>
      {children}
    </button>
  );
}

async function copy(text: string): Promise<void> {
  // Browsers offer the clipboard to pages with TLS and to pages of this machine only.
  if (window.isSecureContext) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (!isCopied) throw new Error('The browser did not allow to copy. Select the text and copy it yourself.');
}
