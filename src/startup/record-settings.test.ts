import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberAllEvents } from '../../test/support/events.ts';
import { describeOnSqlite } from '../../test/support/runner/engines.ts';
import { useService } from '../../test/support/service.ts';
import { readLatestOfSubject } from '../features/events/queries.ts';
import { recordSettings } from './record-settings.ts';

type RecordedSetting = Parameters<typeof recordSettings>[2][number];

const setting = (name: string, value: string | null, isSecret = false): RecordedSetting => ({
  name,
  value: isSecret ? null : value,
  is_secret: isSecret,
  is_set: value !== null,
});

describeOnSqlite('settings at a start', (engine) => {
  const service = useService(engine);
  const start = (...settings: RecordedSetting[]) => recordSettings(service.database, () => 1_000, settings);
  const listChanges = async () => {
    await numberAllEvents(service.database);
    const events = await readLatestOfSubject(service.database, 'settings', 10);
    return events.map(({ data, actor }) => ({ ...JSON.parse(data!), actor })).reverse();
  };

  test('settings that have changed since the last start are recorded, secrets without their values', async () => {
    await start(setting('A', '1'), setting('B', null), setting('PASSWORD', 'secret', true));
    const before = (await listChanges()).length;
    await start(setting('A', '1'), setting('B', null), setting('PASSWORD', 'another', true));
    assert.equal((await listChanges()).length, before, 'nothing has changed');
    await start(setting('A', '2'), setting('PASSWORD', null, true), setting('C', 'new'));
    const events = (await listChanges()).slice(before);
    const changes = [
      { name: 'A', from: '1', to: '2' },
      { name: 'C', from: null, to: 'new' },
      { name: 'PASSWORD', from: true, to: false },
    ];
    assert.deepEqual(events, [{ changes, actor: 'system' }]);
    await Promise.all([start(setting('A', '3')), start(setting('A', '3'))]);
    assert.equal((await listChanges()).length, before + 2, 'one event of two nodes that start at once');
  });
});
