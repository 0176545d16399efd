/** Reads the operations of a batch: the list as a whole, and each operation by itself. */
import type { AdminScope } from '../../../callers/admin-scopes.ts';
import { createValidator } from '../../../lib/schema/validator.ts';
import { Problem } from '../../../problems/problem.ts';
import { validationFailed } from '../../../problems/validation-failed.ts';
import type { NewUserInput } from '../../people/accounts/create-user.ts';
import { isObject } from '../records/metadata.ts';
import { giveAccess, parseUserId, type UserChanges } from '../records/rules.ts';
import { newUserSchema } from '../records/schemas.ts';
import {
  ACTIONS,
  batchSchema,
  changesSchema,
  MAX_OPERATIONS,
  MAX_PASSWORDS,
  operationSchemas,
} from './schemas.ts';

/** An operation whose values are valid. */
export type Operation =
  | { readonly action: 'create'; readonly user: NewUserInput }
  | { readonly action: 'update'; readonly id: string; readonly changes: UserChanges }
  | { readonly action: 'erase'; readonly id: string; readonly version: number | undefined }
  | { readonly action: 'revoke'; readonly id: string };

const validateList = createValidator({ ...batchSchema, properties: { operations: { type: 'array' } } });
const validators = new Map(ACTIONS.map((action) => [action, createValidator(operationSchemas[action])]));
const STATES = { disable: 'disabled', enable: 'active' } as const;
const validateUser = createValidator(newUserSchema);
const validateChanges = createValidator(changesSchema);

/** Returns the operations before their validation. @throws Problem invalid_payload, validation_failed */
export function readOperations(body: unknown): readonly unknown[] {
  const operations = validateList(body).operations as readonly unknown[];
  if (operations.length > MAX_OPERATIONS) throw invalid(`must not have more than ${MAX_OPERATIONS} items.`);
  if (operations.filter(hasPassword).length > MAX_PASSWORDS)
    throw invalid(`must not have more than ${MAX_PASSWORDS} users with a password.`);
  return operations;
}

/** @throws Problem invalid_payload, validation_failed, user_not_found */
export function readOperation(given: unknown): Operation {
  if (!isObject(given)) throw new Problem('invalid_payload');
  const action = ACTIONS.find((each) => each === given.action);
  if (action === undefined) throw validationFailed({ action: ['The selected action is invalid.'] });
  const { user, changes, ...members } = validators.get(action)!(given);
  if (action === 'create') return { action, user: validateUser(user) as unknown as NewUserInput };
  const id = parseUserId(members.id as string);
  const version = members.version as number | undefined;
  if (action === 'revoke') return { action, id };
  if (action === 'erase') return { action, id, version };
  const values: UserChanges = action === 'update' ? validateChanges(changes) : { state: STATES[action] };
  return { action: 'update', id, changes: version === undefined ? values : { ...values, version } };
}

/** Returns the scopes that the operations need, as their single requests do. */
export function listScopes(operations: readonly unknown[]): AdminScope[] {
  const scopes = operations.map((each) => (hasAction(each, 'revoke') ? 'tokens:write' : 'users:write'));
  return [...new Set(scopes)];
}

/** Whether the single request would need a recent sign-in of a person. */
export function needsRecentSignIn(operation: unknown): boolean {
  if (!isObject(operation)) return false;
  const { user, changes } = operation;
  const givesRole = isObject(user) && user.role !== undefined;
  return operation.action === 'erase' || givesRole || (isObject(changes) && giveAccess(changes));
}

export function hasAction(operation: unknown, action: Operation['action']): boolean {
  return isObject(operation) && operation.action === action;
}

function hasPassword(operation: unknown): boolean {
  return isObject(operation) && isObject(operation.user) && typeof operation.user.password === 'string';
}

function invalid(reason: string): Problem {
  return validationFailed({ operations: [`The operations field ${reason}`] });
}
