import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { recordBackup } from '../../../src/features/backups/status/backup-events.ts';
import { checkView, useConsole } from '../../../test/support/browser/console.ts';
import { waitForAlert, waitForStatus } from '../../../test/support/browser/steps.ts';
import { useService } from '../../../test/support/service.ts';

const PATH = '/console/backups';
const directory = join(tmpdir(), 'frontdesk-backups-of-the-console');
const file = 'frontdesk-20260101T000000Z.ndjson.zst';
const BACKUP = {
  kind: 'created',
  rows: 20,
  bytes: 412_000_000,
  durationMs: 3_700,
} as const;

describe('backups in the console', () => {
  const service = useService('sqlite', { environment: { BACKUP_DIR: directory } });
  const off = useService('sqlite');
  const visit = useConsole(service);
  const visitOff = useConsole(off);

  test('the page of backups shows the last and the last verified backup, why one failed, and requests another', async (t) => {
    const now = Date.now();
    await service.service.database.transaction(async (tx) => {
      await recordBackup(tx, BACKUP, { file, now: now - 7_200_000 });
      await recordBackup(tx, { kind: 'verified', durationMs: 30 }, { file, now: now - 7_000_000 });
    });
    const { page } = await visit(t, PATH);
    await page
      .getByText(`Every 24 hours to ${directory}, verified by a restore, the last 14 are kept.`)
      .waitFor();
    const row = page.getByRole('row').filter({ hasText: file });
    await row.getByText('Verified by a restore').waitFor();
    await row.getByText('412 MB').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Last backup' }).getByText('2 hours ago').waitFor();
    await page.getByText(`backup restore ${directory}/${file}`).waitFor();
    await checkView(page);
    await service.service.database.transaction((tx) =>
      recordBackup(tx, { kind: 'failed', message: 'the disk is full' }, { file, now: now - 1_000 }),
    );
    await page.reload();
    await waitForAlert(page, 'The last backup failed: the disk is full.');
    await page.getByRole('button', { name: 'Back up now' }).click();
    await waitForStatus(page, 'The backup begins within a minute.');
    await page.getByRole('button', { name: 'Requested' }).waitFor();
    await checkView(page);
  });

  test('the page of backups says how to switch them on, and offers none before', async (t) => {
    const { page } = await visitOff(t, PATH);
    await page.getByText('The service makes no backups: set BACKUP_DIR, and restart it.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Back up now' }).count(), 0);
    await checkView(page);
  });
});
