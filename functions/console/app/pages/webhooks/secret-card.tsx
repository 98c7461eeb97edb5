import type { ComponentChildren } from 'preact';
import { CopyButton } from '../../components/buttons/copy-button.tsx';

/** A signing secret, which no later response of the API shows. */
export const SecretCard = ({ secret, children }: { secret: string; children?: ComponentChildren }) => (
  <section class="card stack" aria-label="Signing secret">
    <h2>Signing secret</h2>
    <p class="advice">Copy it now: it is shown only once. Keep it where your receiver reads its secrets.</p>
    <div class="secret">
      <code>{secret}</code>
      <CopyButton text={secret}>Copy</CopyButton>
    </div>
    {children}
  </section>
);
