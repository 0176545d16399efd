/** Tests the alerts of deploy with `promtool test rules`, which Debian's package `prometheus` has. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const isInstalled = spawnSync('promtool', ['--version']).error === undefined;
const skip = isInstalled ? false : 'promtool is not installed: apt-get install prometheus';

const ERRORS = 'frontdesk_http_request_duration_seconds_count';
const BACKUP = 'frontdesk_backup_age_seconds{state="verified"}';

/** Series by minutes (`0x9 20x9`: ten times 0, then ten times 20), the minute in question, and the alerts that fire. */
const rows: readonly [title: string, series: Record<string, string>, at: string, alerts: string[]][] = [
  [
    'a burst of errors',
    { [`${ERRORS}{status="5xx"}`]: '0x9 20x9', [`${ERRORS}{status="2xx"}`]: '0+60x19' },
    '12m',
    ['FrontdeskErrors'],
  ],
  ['no errors', { [`${ERRORS}{status="5xx"}`]: '0x19', [`${ERRORS}{status="2xx"}`]: '0+60x19' }, '12m', []],
  [
    'one failed statement',
    { 'frontdesk_database_errors_total{kind="other"}': '0x9 1x9' },
    '11m',
    ['FrontdeskDatabaseErrors'],
  ],
  ['a database without failures', { 'frontdesk_database_errors_total{kind="other"}': '0x19' }, '11m', []],
  ['a service two days old without a verified backup', { up: '1x3000' }, '2881m', ['FrontdeskBackupMissing']],
  ['a service one day old without a verified backup', { up: '1x3000' }, '1440m', []],
  [
    'a verified backup of two days and two hours ago',
    { [BACKUP]: '0+60x3000' },
    '3000m',
    ['FrontdeskBackupOverdue'],
  ],
];

const ALERTS = [
  'FrontdeskErrors',
  'FrontdeskDatabaseErrors',
  'FrontdeskBackupMissing',
  'FrontdeskBackupOverdue',
];

test('the alerts of deploy fire when they should, as promtool evaluates them', { skip }, (context) => {
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-alerts-'));
  context.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'alerts.json');
  const tests = rows.map(([name, series, evalTime, fired]) => ({
    name,
    interval: '1m',
    input_series: Object.entries(series).map(([key, values]) => ({ series: key, values })),
    // Alerts by name: their labels and texts are not compared.
    promql_expr_test: ALERTS.map((alert) => ({
      expr: `count(ALERTS{alertname="${alert}", alertstate="firing"}) or vector(0)`,
      eval_time: evalTime,
      exp_samples: [{ labels: '{}', value: fired.includes(alert) ? 1 : 0 }],
    })),
  }));
  const rules = resolve('deploy/prometheus-alerts.yaml');
  writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval: '1m', tests }));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}${stderr}`);
});
