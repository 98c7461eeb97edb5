import type { SourceItem } from '../../api/wire.ts';
import { Badge, type Tone } from '../../components/badge.tsx';

type State = SourceItem['state'];

export const SOURCE_STATES: readonly State[] = ['creating', 'activating', 'active', 'failed', 'disabled'];

export const STATE_TONES: Readonly<Record<State, Tone>> = {
  creating: 'warn',
  activating: 'warn',
  active: 'ok',
  failed: 'bad',
  disabled: 'plain',
};

export const StateBadge = ({ state }: { state: State }) => <Badge tone={STATE_TONES[state]}>{state}</Badge>;
