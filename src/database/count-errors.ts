/** Reports failures of the database to the metrics. */
import { type Database, DatabaseUnavailable, PermissionDenied, UniqueViolation } from './database.ts';

export const DATABASE_ERRORS = ['unavailable', 'permission', 'other'] as const;
export type DatabaseErrorKind = (typeof DATABASE_ERRORS)[number];

/** Returns the database whose failed reads and transactions are reported. Rejections by use cases are none. */
export function withErrorCount(database: Database, onError: (kind: DatabaseErrorKind) => void): Database {
  const report = (error: unknown): never => {
    const kind = getKind(error);
    if (kind !== null) onError(kind);
    throw error;
  };
  return {
    ...database,
    get: (statement, ...values) => database.get(statement, ...values).catch(report),
    all: (statement, ...values) => database.all(statement, ...values).catch(report),
    transaction: (work, options) => database.transaction(work, options).catch(report),
  };
}

/** Errors of drivers have a code; those of use cases have none. */
function getKind(error: unknown): DatabaseErrorKind | null {
  if (error instanceof DatabaseUnavailable) return 'unavailable';
  if (error instanceof PermissionDenied) return 'permission';
  if (error instanceof UniqueViolation || !(error instanceof Error)) return null;
  return /^(SQLITE_|[0-9A-Z]{5}$)/.test(String((error as NodeJS.ErrnoException).code)) ? 'other' : null;
}
