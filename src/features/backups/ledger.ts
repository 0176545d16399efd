/**
 * The ledger beside the backups: what has ended since each of them, an event a line, with ids and times only. It is
 * written from the record of events, and read by a restore.
 */
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reader } from '../../database/database.ts';
import { formatEventTime, parseData } from '../events/event-view.ts';
import { readChain } from '../events/queries.ts';
import { formatUserSubject } from '../events/record-event.ts';
import { BackupRejected } from './format/manifest.ts';
import { LEDGER_TYPES, type LedgerType, listEventsOfType } from './queries.ts';

const FILE = 'frontdesk-ledger.ndjson';

export interface Fact {
  readonly at: string;
  readonly type: LedgerType;
  readonly subject: string;
  /** After a change of the role. */
  readonly role?: 'owner' | 'support' | 'auditor' | null | undefined;
}

/** Events per read: few enough that no request waits long for it. */
const WINDOW = 10_000;

/** Returns the facts of the events after a number in batches, each with the number up to which it is complete. */
export async function* readFacts(reader: Reader, after: number) {
  const { number: end, deleted_number } = await readChain(reader);
  for (let low = Math.max(after, deleted_number); low < end; low += WINDOW) {
    const number = Math.min(low + WINDOW, end);
    const events: LedgerEvent[] = [];
    for (const type of LEDGER_TYPES) events.push(...(await listEventsOfType(reader, type, low, number)));
    yield { facts: events.sort((a, b) => a.number - b.number).flatMap(toFacts), number };
    await nextTurn();
  }
}

type LedgerEvent = Awaited<ReturnType<typeof listEventsOfType>>[number];

function toFacts({ created_at, type, subject, data }: LedgerEvent): Fact[] {
  const { changes = [], details } = parseData({ data });
  const fact = { at: formatEventTime(created_at), type, subject };
  // It is about the user who is erased.
  if (type === 'user.merged') return [{ ...fact, subject: formatUserSubject(String(details?.from)) }];
  if (type !== 'user.updated') return [fact];
  const roles = changes.filter(({ name }) => name === 'role');
  return roles.map(({ to }) => ({ ...fact, role: to as Fact['role'] }));
}

/** Returns the function that adds the facts of new events to the ledger of the directory, also one of several nodes. */
export function createLedgerWriter(reader: Reader, directory: string): () => Promise<void> {
  let after = 0;
  // The first time, of all events: those of a restored database may have the numbers of others.
  let known: Set<string> | undefined;
  return async () => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    known ??= new Set(readLines(directory));
    for await (const { facts, number } of readFacts(reader, after)) {
      const lines = facts.map((fact) => JSON.stringify(fact)).filter((line) => !known!.has(line));
      // The line break is first: a crash may have cut off the last line.
      const text = lines.map((line) => `\n${line}`).join('');
      if (text !== '') await appendFile(join(directory, FILE), text, { mode: 0o600, flush: true });
      after = number;
    }
    known = new Set();
  };
}

function readLines(directory: string): string[] {
  const file = join(directory, FILE);
  // A ledger that cannot be reached is not one that does not exist: a restore would leave out what it says.
  return statSync(file, { throwIfNoEntry: false }) ? readFileSync(file, 'utf8').split('\n') : [];
}

/** Returns the facts of the ledger in the directory, oldest first. @throws BackupRejected */
export function readLedger(directory: string): Fact[] {
  // Without one that was cut off.
  return readLines(directory).flatMap((line, index) =>
    line.endsWith('}') ? [parseFact(line, `line ${index + 1} of ${join(directory, FILE)}`)] : [],
  );
}

function parseFact(line: string, place: string): Fact {
  try {
    const { at, type, subject, role } = JSON.parse(line);
    if (at === new Date(at).toJSON() && [type, subject].every((text) => typeof text === 'string'))
      return { at, type, subject, role };
  } catch {}
  throw new BackupRejected(`${place} is damaged: correct or remove it, because what it says is not repeated`);
}
