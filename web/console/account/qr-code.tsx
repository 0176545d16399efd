/** QR codes, drawn as one path. */
import { encode } from 'uqr';

/** Width of the empty margin in modules (ISO/IEC 18004 demands four). */
const MARGIN = 4;

interface QrCodeProps {
  readonly text: string;
  readonly label: string;
}

export function QrCode({ text, label }: QrCodeProps) {
  const { data } = encode(text, { ecc: 'M', border: MARGIN });
  return (
    <svg class="qr-code" viewBox={`0 0 ${data.length} ${data.length}`} role="img" aria-label={label}>
      <path d={data.map(drawRow).join('')} />
    </svg>
  );
}

/** Returns a rectangle for each run of dark modules. */
function drawRow(row: readonly boolean[], y: number): string {
  const cells = row.map((isDark) => (isDark ? '#' : ' ')).join('');
  return [...cells.matchAll(/#+/g)]
    .map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`)
    .join('');
}
