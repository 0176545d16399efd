/** All benches by the name with which they are started. */
import type { Finding } from './load/findings.ts';
import type { Pace } from './load/rounds.ts';
import { measureAttacks } from './scenarios/attacks.ts';
import { measureConsole } from './scenarios/console.ts';
import { measureDashboard, measureDashboardPostgres } from './scenarios/dashboard.ts';
import { measureEventFlood } from './scenarios/event-flood.ts';
import { measureEventsCost } from './scenarios/events/events-cost.ts';
import { measureEventsRead, measureEventsReadPostgres } from './scenarios/events/events-read.ts';
import { measureKeys } from './scenarios/keys.ts';
import { measureMailAttacks } from './scenarios/mail-attacks.ts';
import { measureDepth, measureTokens } from './scenarios/million-users.ts';
import { measureLogins, measureRegistrations, measureResponsiveness } from './scenarios/passwords.ts';
import { measurePostgresRead, measureRead } from './scenarios/reads.ts';
import { measureSearch, measureSearchPostgres } from './scenarios/search.ts';
import { measureStalled } from './scenarios/stalled.ts';
import { measureMemory, measureStart } from './scenarios/start-and-memory.ts';
import { measureStreams } from './scenarios/streams.ts';
import { measureVerify } from './scenarios/verify.ts';
import { measureWebhooks } from './scenarios/webhooks.ts';

export interface Bench {
  /** One line for the list of benches. */
  readonly description: string;
  measure(pace: Pace): Promise<Finding[]>;
}

export const benches: ReadonlyMap<string, Bench> = new Map<string, Bench>([
  ['form', { description: 'form-field check', measure: (pace) => measureRead('form', pace) }],
  ['me', { description: 'own account by token', measure: (pace) => measureRead('me', pace) }],
  ['list', { description: 'list of 20 users', measure: (pace) => measureRead('list', pace) }],
  ['user', { description: 'one user by id', measure: (pace) => measureRead('user', pace) }],
  ['me-postgres', { description: 'me on PostgreSQL', measure: (pace) => measurePostgresRead('me', pace) }],
  [
    'list-postgres',
    { description: 'list on PostgreSQL', measure: (pace) => measurePostgresRead('list', pace) },
  ],
  [
    'verify',
    { description: 'verification of one token and of 100, JSON Web Tokens', measure: measureVerify },
  ],
  ['login', { description: 'logins, compared with argon2id alone', measure: measureLogins }],
  ['register', { description: 'registrations, compared with argon2id alone', measure: measureRegistrations }],
  ['responsive', { description: 'me at a constant rate during logins', measure: measureResponsiveness }],
  ['keys', { description: 'registrations with an Idempotency-Key', measure: measureKeys }],
  ['start', { description: 'time until the service is ready', measure: measureStart }],
  ['memory', { description: 'resident memory at rest', measure: measureMemory }],
  ['depth', { description: 'pages of 1,000,000 users at three depths', measure: measureDepth }],
  ['tokens', { description: 'me with 1,000,000 tokens', measure: measureTokens }],
  ['dashboard', { description: 'dashboard of 1,000,000 users, and me beside it', measure: measureDashboard }],
  ['dashboard-postgres', { description: 'dashboard on PostgreSQL', measure: measureDashboardPostgres }],
  ['search', { description: 'search and orders of 1,000,000 users', measure: measureSearch }],
  ['search-postgres', { description: 'search on PostgreSQL', measure: measureSearchPostgres }],
  ['console', { description: 'console with 1,000,000 users in a browser', measure: measureConsole }],
  ['attacks', { description: 'one user during floods and from known networks', measure: measureAttacks }],
  ['event-flood', { description: 'a user with 1,000,000 security events', measure: measureEventFlood }],
  ['events-cost', { description: 'events of logins, registrations and changes', measure: measureEventsCost }],
  ['events-read', { description: 'reads of 10,000,000 events', measure: measureEventsRead }],
  [
    'events-read-postgres',
    { description: 'reads of events on PostgreSQL', measure: measureEventsReadPostgres },
  ],
  ['mail-attacks', { description: 'messages that others can cause', measure: measureMailAttacks }],
  ['streams', { description: '1,000 idle streams of events', measure: measureStreams }],
  ['webhooks', { description: 'deliveries beside dead and slow endpoints', measure: measureWebhooks }],
  ['stalled', { description: 'clients that never read a response', measure: measureStalled }],
]);
