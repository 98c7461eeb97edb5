import { Brand } from '../components/brand.tsx';
import { Heading } from '../components/page.tsx';
import { useFocusInside } from '../hooks/use-focus-inside.ts';

/**
 * Asks before a key in an address replaces the one of this tab: a link of another person must not change the account
 * unnoticed.
 */
export function OfferedKey({ take, leave }: { take: () => void; leave: () => void }) {
  const card = useFocusInside<HTMLDivElement>();
  return (
    <main class="sign-in">
      <div class="card stack" ref={card}>
        <Brand />
        <Heading>Change the API key?</Heading>
        <p>
          This tab is signed in, and the address has another API key. With that key the console shows another account,
          and saves what you enter there. Stay signed in if you did not make the address yourself.
        </p>
        <button class="primary" type="button" onClick={leave}>
          Stay signed in
        </button>
        <button type="button" onClick={take}>
          Use the key of the address
        </button>
      </div>
    </main>
  );
}
