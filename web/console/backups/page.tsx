/** Backups of the service: the last one, the next one, and how to restore one. */
import { useEffect } from 'preact/hooks';
import type { Backups } from '../../common/api-types.ts';
import { CodeBlock } from '../../common/code-block.tsx';
import { Button, capitalize, Failure, LoadState, PageHead, Panel } from '../../common/components.tsx';
import { formatDuration, formatSize } from '../../common/page-language.ts';
import { ShortTime } from '../../common/time.tsx';
import { useAction } from '../../common/use-action.ts';
import { useStarted } from '../records/create-record.tsx';
import { Empty } from '../records/record-list.tsx';
import { type Column, RecordTable } from '../records/record-table.tsx';
import { may, request, useData } from '../session.ts';
import { announce } from '../status.tsx';
import { describeSchedule, formatAge } from './text.ts';

const PATH = '/api/v1/admin/backups';
/** A requested backup begins within this time. */
const RELOAD_MS = 5_000;

export function BackupsPage() {
  const [loaded, again] = useData<Backups>(PATH);
  const data = loaded.data;
  const isRequested = data?.is_requested === true;
  useEffect(() => {
    if (!isRequested) return;
    const timer = setInterval(again, RELOAD_MS);
    return () => clearInterval(timer);
  }, [isRequested]);
  return (
    <>
      <PageHead title="Backups" context={data && describeSchedule(data.schedule)}>
        {data && <RequestButton data={data} onRequested={again} />}
      </PageHead>
      <LoadState loaded={loaded} what="the backups" retry={again} />
      {data && <Content data={data} />}
    </>
  );
}

const VERB = 'Back up now';

function mayRequest({ schedule }: Backups): boolean {
  return schedule.directory !== null && may('settings:write');
}

function RequestButton({ data, onRequested }: { readonly data: Backups; readonly onRequested: () => void }) {
  const { isBusy, error, run } = useAction();
  const requestBackup = async () => {
    await request(PATH, { method: 'POST', body: {} });
    announce('The backup begins within a minute.');
    onRequested();
  };
  useStarted(VERB, () => void (mayRequest(data) && !data.is_requested && run(requestBackup)));
  if (!mayRequest(data)) return null;
  return (
    <div class="stack tight">
      <Button
        text={data.is_requested ? 'Requested' : VERB}
        class="primary"
        aria-busy={isBusy || data.is_requested}
        disabled={data.is_requested}
        onClick={() => run(requestBackup)}
      />
      {error && <Failure what="The backup was not requested" error={error} />}
    </div>
  );
}

function Content({ data }: { readonly data: Backups }) {
  const { problem, backups } = data;
  return (
    <>
      {problem !== null && (
        <p class="notice failure" role="alert">
          <strong>{capitalize(problem)}.</strong>
        </p>
      )}
      {data.schedule.directory !== null && <Figures data={data} />}
      <Panel title="Backups" id="backups">
        {backups.length === 0 ? (
          <Empty
            icon="database"
            title="No backups yet"
            action={mayRequest(data) ? VERB : null}
            docs="/docs/operations#backups"
          >
            {data.schedule.directory === null
              ? 'Set BACKUP_DIR to a directory on another disk: the service then backs up every day, and tries each backup.'
              : 'A backup has all data but the secret key, and can be restored on another machine.'}
          </Empty>
        ) : (
          <BackupTable backups={backups} verifies={data.schedule.verifies} />
        )}
      </Panel>
      <Restore file={backups.find(({ file }) => file !== null)?.file ?? null} data={data} />
    </>
  );
}

const LAST = 'Last backup';

function Figures({ data: { created_at, verified_at, next_at, backups } }: { readonly data: Backups }) {
  const last = backups.find(({ file }) => file !== null);
  const times = { [LAST]: created_at, 'Last verified backup': verified_at, 'Next backup': next_at };
  return (
    <ul class="figures" aria-label="State">
      {Object.entries(times).map(([name, at]) => (
        <li key={name}>
          <div class="panel figure">
            <span>{name}</span> <strong>{formatAge(at)}</strong>{' '}
            <small>
              <ShortTime at={at} />
              {name === LAST && last?.bytes != null && ` · ${formatSize(last.bytes)}`}
            </small>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Commands with the name of the last file, for a new machine. */
function Restore({ file, data: { schedule } }: { readonly file: string | null; readonly data: Backups }) {
  const path = `${schedule.directory ?? '.'}/${file ?? 'frontdesk-….ndjson.zst'}`;
  const identity = schedule.is_encrypted ? ' --identity key.txt' : '';
  const command = (name: string) => `npm run cli -- backup ${name} ${path}${identity}`;
  return (
    <Panel title="Restore" id="restore" body="stack">
      <p>
        Install this release or a later one on the new machine, put the file <code>secret-key</code> of this
        service into its data directory (it is not in the backup), and run:
      </p>
      <CodeBlock label="Restore" text={command('restore')} wraps />
      <p>This tries a backup without changing anything:</p>
      <CodeBlock label="Verify" text={command('verify')} wraps />
    </Panel>
  );
}

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
  { title: 'Size', class: 'num', render: ({ bytes }) => bytes !== null && formatSize(bytes) },
  {
    title: 'Duration',
    class: 'num',
    render: ({ duration_ms }) => duration_ms !== null && formatDuration(duration_ms),
  },
  {
    title: 'Verification',
    class: 'num wide',
    render: ({ verification_ms }) => verification_ms !== null && formatDuration(verification_ms),
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

function BackupTable({ backups, verifies }: BackupTableProps) {
  const columns = verifies ? COLUMNS : COLUMNS.filter(({ title }) => title !== 'Verification');
  const records = backups.map((backup) => ({ ...backup, id: `${backup.time} ${backup.file}` }));
  return <RecordTable label="Backups" columns={columns} records={records} />;
}
