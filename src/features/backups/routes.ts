import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import {
  dataSchema,
  nullableText,
  nullableTimestamp,
  recordSchema,
  timestamp,
} from '../../lib/schema/json-schema.ts';
import { describeMessage, describeResponse } from '../../plugins/openapi/describe-response.ts';
import { type BackupsDeps, listBackups, requestBackup } from './status/list-backups.ts';

const PATH = '/api/v1/admin/backups';

export const backups: FeaturePlugin<BackupsDeps> = async (app, deps) => {
  app.get(
    PATH,
    { schema: listBackupsOperation, config: { access: 'admin', scope: 'settings:read' } },
    async () => ({ message: 'Backups', data: await listBackups(deps) }),
  );
  app.post(
    PATH,
    {
      schema: requestBackupOperation,
      config: { access: 'admin', scope: 'settings:write', problems: ['backups_disabled'] },
    },
    async (_request, reply) => {
      await requestBackup(deps);
      return reply.code(202).send({ message: 'Backup requested' });
    },
  );
};

const nullableCount = { type: ['integer', 'null'], minimum: 0 } as const;

const backup = recordSchema({
  time: timestamp,
  file: { ...nullableText, description: 'Name in the directory; null for a failure.' },
  bytes: nullableCount,
  rows: nullableCount,
  duration_ms: nullableCount,
  verified_at: { ...nullableTimestamp, description: 'When it was restored and used; null: it was not.' },
  verification_ms: { ...nullableCount, description: 'Duration of the verification.' },
  failure: { ...nullableText, description: 'Why it failed; null for a backup.' },
});

const backupsSchema = dataSchema(
  recordSchema({
    schedule: recordSchema({
      directory: { ...nullableText, description: '`BACKUP_DIR`; null: no backups are made.' },
      every_hours: { type: 'number' },
      keep: { type: 'integer' },
      verifies: { type: 'boolean' },
      is_encrypted: { type: 'boolean' },
    }),
    created_at: { ...nullableTimestamp, description: 'When the last backup was made.' },
    verified_at: { ...nullableTimestamp, description: 'When a backup was last verified.' },
    next_at: { ...nullableTimestamp, description: 'When the next one is due; null: none is made.' },
    is_requested: { type: 'boolean', description: 'Whether one was requested and begins within a minute.' },
    problem: { ...nullableText, description: 'What is wrong: the last one failed, or is too old.' },
    backups: { type: 'array', items: backup, description: 'The latest ones and failures, newest first.' },
  }),
);

const time = '2026-01-05T03:00:04.000Z';
const example = {
  message: 'Backups',
  data: {
    schedule: {
      directory: '/var/backups/frontdesk',
      every_hours: 24,
      keep: 14,
      verifies: true,
      is_encrypted: false,
    },
    created_at: time,
    verified_at: '2026-01-05T03:00:09.000Z',
    next_at: '2026-01-06T03:00:04.000Z',
    is_requested: false,
    problem: null,
    backups: [
      {
        ...{
          time,
          file: 'frontdesk-20260105T030000Z.ndjson.zst',
          bytes: 412_000,
          rows: 20_100,
          duration_ms: 3_700,
        },
        ...{ verified_at: '2026-01-05T03:00:09.000Z', verification_ms: 4_900, failure: null },
      },
    ],
  },
};

const listBackupsOperation = {
  operationId: 'listBackups',
  tags: ['Administration'],
  summary: 'List backups',
  description:
    'Returns the schedule of this node, and the latest backups that the service has made, from its record of events: some of their files may have been deleted.',
  response: {
    200: describeResponse(backupsSchema, { description: 'The backups.', examples: { backups: example } }),
  },
} as const;

const requestBackupOperation = {
  operationId: 'requestBackup',
  tags: ['Administration'],
  summary: 'Request a backup',
  description: 'A node with `BACKUP_DIR` makes it within a minute, and verifies it.',
  response: {
    202: describeMessage('It was requested.', { requested: 'Backup requested' }),
  },
} as const;
