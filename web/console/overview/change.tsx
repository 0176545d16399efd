/** The change of a figure against the same span before. */
import { formatCount } from '../../common/components.tsx';

interface ChangeProps {
  readonly count: number;
  readonly previous: number;
  /** The span before: `yesterday`. */
  readonly before: string;
  /** The span has not ended, while the one before has: its number says little, and a percentage would mislead. */
  readonly isPartial: boolean;
}

export function Change({ count, previous, before, isPartial }: ChangeProps) {
  const by = count - previous;
  const isShare = previous > 0 && !isPartial;
  const size = isShare
    ? `${formatCount(Math.round((Math.abs(by) / previous) * 100))} %`
    : formatCount(Math.abs(by));
  const text = by === 0 ? '±0' : `${by > 0 ? '+' : '−'}${size}`;
  const tone = by === 0 || isPartial ? 'muted' : by > 0 ? 'rise' : 'fall';
  return (
    <span title={`${formatCount(count)} against ${formatCount(previous)} ${before}`}>
      <span class={tone}>{text}</span>
      <span class="visually-hidden"> against {before}</span>
    </span>
  );
}
