export type Tone = 'ok' | 'warn' | 'bad' | 'plain';

/** A state in one word. The word says it, the colour repeats it. */
export const Badge = ({ tone, children }: { tone: Tone; children: string }) => (
  <span class={`badge ${tone}`}>{children}</span>
);
