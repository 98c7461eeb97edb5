import { useState } from 'preact/hooks';
import { CopyButton } from '../../components/buttons/copy-button.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { SNIPPETS, type Language } from './snippet-texts.ts';

const LANGUAGES = Object.keys(SNIPPETS).filter((name): name is Language => Object.hasOwn(SNIPPETS, name));

/** Code with which a receiver checks that a request is genuine. */
export function Snippets() {
  const [language, setLanguage] = useState<Language>('JavaScript');
  const snippet = SNIPPETS[language];
  return (
    <section class="card stack" aria-labelledby="verify">
      <div>
        <h2 id="verify">Verify the signature</h2>
        <p class="hint">
          Requests are signed as in Standard Webhooks. Give the function the body as it came, before it is parsed. The
          same
          <code> webhook-id</code> can come twice: handle it once.
        </p>
      </div>
      <Tabs label="Language" names={LANGUAGES} selected={language} onSelect={setLanguage}>
        <div class="snippet">
          <pre tabIndex={0} aria-label={`${language} code`}>
            {snippet}
          </pre>
          <CopyButton text={snippet} label="Copy code" />
        </div>
      </Tabs>
    </section>
  );
}
