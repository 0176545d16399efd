/** All benches by the name with which they are started. */
import type { Finding } from './load/findings.ts';
import type { Pace } from './load/rounds.ts';
import { measureBackups, measureLargeBackups } from './scenarios/backups.ts';
import { measureDeliveries } from './scenarios/deliveries.ts';
import { measureEvents } from './scenarios/events.ts';
import { measureForms } from './scenarios/forms.ts';
import { measureGroups } from './scenarios/groups.ts';
import { measurePasswords } from './scenarios/passwords.ts';
import { measureProcesses } from './scenarios/processes.ts';
import { measureReads } from './scenarios/reads.ts';
import { measureReadsOnPostgres } from './scenarios/reads-on-postgres.ts';
import { measureSearch } from './scenarios/search.ts';
import { measureMemory, measureStart } from './scenarios/start-and-memory.ts';
import { measureWrites } from './scenarios/writes.ts';

export interface BenchOptions {
  readonly pace: Pace;
  /** Directory of another checkout that `reads`, `reads-on-postgres` and `writes` measure in the same run. */
  readonly beside: string | undefined;
  /** Names of the requests that they measure; without it, all. */
  readonly only: readonly string[] | undefined;
}

export interface Bench {
  /** One line for the list of benches. */
  readonly description: string;
  measure(options: BenchOptions): Promise<Finding[]>;
}

export const benches: ReadonlyMap<string, Bench> = new Map<string, Bench>([
  ['reads', { description: 'me, a list, a form check and a verification', measure: measureReads }],
  [
    'reads-on-postgres',
    { description: 'me and a list on PostgreSQL, 64 at a time', measure: measureReadsOnPostgres },
  ],
  ['writes', { description: 'submissions and new users, on both engines', measure: measureWrites }],
  ['passwords', { description: 'logins and registrations, and me during logins', measure: measurePasswords }],
  ['search', { description: 'search and orders of 1,000,000 users on both engines', measure: measureSearch }],
  [
    'groups',
    { description: 'lists and tokens with 500 groups beside those without', measure: measureGroups },
  ],
  ['events', { description: 'reads of 2,000,000 events on both engines', measure: measureEvents }],
  [
    'deliveries',
    { description: 'deliveries beside endpoints that hang or are slow', measure: measureDeliveries },
  ],
  ['forms', { description: 'submissions, and a form with 1,000,000 of them', measure: measureForms }],
  ['processes', { description: 'one, two and four processes on one port', measure: measureProcesses }],
  ['backups', { description: 'backups of 20,000 users, and me beside them', measure: measureBackups }],
  ['backups-large', { description: 'the same with 1,000,000 users', measure: measureLargeBackups }],
  ['start', { description: 'time until the service is ready', measure: measureStart }],
  ['memory', { description: 'resident memory at rest', measure: measureMemory }],
]);
