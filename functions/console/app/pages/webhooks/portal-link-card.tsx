import { CopyButton } from '../../components/buttons/copy-button.tsx';

/** A new portal link. */
export const PortalLinkCard = ({ url }: { url: string }) => (
  <section class="card stack" aria-label="Portal link">
    <h2>Portal link</h2>
    <p class="advice">
      Send it to a customer as you would send a password: it shows this webhook for an hour, without a key.
    </p>
    <div class="secret">
      <code>{url}</code>
      <CopyButton text={url}>Copy</CopyButton>
    </div>
  </section>
);
