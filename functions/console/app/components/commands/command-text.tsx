/** A command line. It breaks between its words only, not after the hyphens of an option. */
export const CommandText = ({ children: text }: { children: string }) => (
  <>
    {text.split(/(\s+)/).map((part, n) =>
      n % 2 === 0 ? (
        <span key={n} class="word">
          {part}
        </span>
      ) : (
        part
      ),
    )}
  </>
);
