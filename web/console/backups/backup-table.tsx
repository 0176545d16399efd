/** The latest backups and failures. */
import type { Backups } from '../../common/api-types.ts';
import { ShortTime } from '../../common/time.tsx';
import { type Column, RecordTable } from '../records/record-table.tsx';
import { formatSeconds, formatSize } from './text.ts';

type Backup = Backups['backups'][number];

interface BackupTableProps {
  readonly backups: readonly Backup[];
  /** Whether each is verified. */
  readonly verifies: boolean;
}

const COLUMNS: readonly Column<Backup>[] = [
  { title: 'Time', isMain: true, render: ({ time }) => <ShortTime at={time} /> },
  {
    title: 'File',
    class: 'grow',
    getHint: ({ file, failure }) => file ?? failure,
    render: ({ file, failure }) => (file === null ? failure : <code>{file}</code>),
  },
  { title: 'Size', class: 'num', render: ({ bytes }) => formatSize(bytes) },
  { title: 'Duration', class: 'num', render: ({ duration_ms }) => formatSeconds(duration_ms) },
  {
    title: 'Verification',
    class: 'num wide',
    render: ({ verification_ms }) => formatSeconds(verification_ms),
  },
  { title: 'State', class: 'state-cell', render: (backup) => <BackupBadge backup={backup} /> },
];

function BackupBadge({ backup: { failure, verified_at } }: { readonly backup: Backup }) {
  if (failure !== null) return <span class="badge bad">Failed</span>;
  return verified_at === null ? (
    <span class="badge">Stored</span>
  ) : (
    <span class="badge usual">Verified by a restore</span>
  );
}

export function BackupTable({ backups, verifies }: BackupTableProps) {
  const columns = verifies ? COLUMNS : COLUMNS.filter(({ title }) => title !== 'Verification');
  const records = backups.map((backup) => ({ ...backup, id: `${backup.time} ${backup.file}` }));
  return <RecordTable label="Backups" columns={columns} records={records} />;
}
