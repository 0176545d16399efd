/** Creates, changes and erases many users on behalf of the administrator, each as by a request of its own. */
import type { Tx } from '../../../database/database.ts';
import type { PrepareStep } from '../../../idempotency/idempotency.ts';
import { Problem } from '../../../problems/problem.ts';
import { insertAccount, prepareOwner } from '../../people/accounts/create-user.ts';
import { applyErasure, finishErasures } from '../../people/personal-data/erase-user.ts';
import type { AccountDeps } from '../../people/sign-in/account-deps.ts';
import { ADMINISTRATOR } from '../../people/sign-in/hashing-client.ts';
import { applyRevocation } from '../../people/tokens/revoke-tokens.ts';
import { applyUpdate } from '../update-user.ts';
import { hasAction, type Operation, readOperation } from './read-operations.ts';

/**
 * The outcome of an operation. Without the values of the user: the results are stored for repeated requests, and must
 * not contain what is erased with the user.
 */
export interface OperationResult {
  readonly index: number;
  readonly status: number;
  readonly data?: { readonly id: string; readonly version: number };
  readonly error?: string;
  readonly code?: string;
  readonly errors?: unknown;
  /** The id of a user whose erasure takes further transactions. Not sent. */
  readonly unfinished?: string;
}

/** Operations of a transaction, which may hold up all other writes for 50 ms on SQLite. */
export const STEP_SIZE = 50;
/** As many operations as an erasure counts: it deletes up to 200 rows. */
const ERASURE_SIZE = 5;
/** Passwords that wait for a thread at once: the queue has places for others. */
const PASSWORDS_AT_ONCE = 4;

/** The effect of a valid operation; a problem is thrown before anything is written. */
type Effect = (tx: Tx) => Promise<Omit<OperationResult, 'index'>>;

/** Returns the steps of a batch, each with the results of its operations. Later operations see the effects of earlier ones. */
export function toSteps(
  deps: AccountDeps,
  operations: readonly unknown[],
): PrepareStep<readonly OperationResult[]>[] {
  let size = 0;
  const parts = Map.groupBy(operations.keys(), (index) => {
    size += hasAction(operations[index], 'erase') ? ERASURE_SIZE : 1;
    return Math.ceil(size / STEP_SIZE);
  });
  return [...parts.values()].map((indexes) => async () => {
    const effects = await prepareEffects(
      deps,
      indexes.map((index) => operations[index]),
    );
    return (tx) => applyEffects(tx, effects, indexes[0]!);
  });
}

/** Completes the erasures that have begun, and returns the results of all steps. */
export async function finishBatch(
  deps: AccountDeps,
  steps: readonly (readonly OperationResult[])[],
): Promise<readonly OperationResult[]> {
  const results = steps.flat();
  await finishErasures(
    deps,
    results.flatMap(({ unfinished }) => unfinished ?? []),
  );
  return results;
}

async function prepareEffects(deps: AccountDeps, given: readonly unknown[]): Promise<(Effect | Problem)[]> {
  const effects: (Effect | Problem)[] = [];
  for (let at = 0; at < given.length; at += PASSWORDS_AT_ONCE) {
    const group = given.slice(at, at + PASSWORDS_AT_ONCE);
    effects.push(
      ...(await Promise.all(
        group.map((each) => catchProblem(async () => prepareEffect(deps, readOperation(each)))),
      )),
    );
  }
  return effects;
}

async function applyEffects(tx: Tx, effects: readonly (Effect | Problem)[], first: number) {
  const results: OperationResult[] = [];
  for (const [at, effect] of effects.entries()) {
    const outcome = effect instanceof Problem ? effect : await catchProblem(() => effect(tx));
    results.push({ index: first + at, ...(outcome instanceof Problem ? toFailure(outcome) : outcome) });
  }
  return results;
}

async function prepareEffect(deps: AccountDeps, operation: Operation): Promise<Effect> {
  if (operation.action === 'create') {
    const owner = await prepareOwner(deps, operation.user, ADMINISTRATOR);
    return async (tx) => {
      await insertAccount(tx, owner);
      return { status: 201, data: { id: owner.id, version: 1 } };
    };
  }
  return (tx) => applyOperation(deps, tx, operation);
}

async function applyOperation(
  deps: AccountDeps,
  tx: Tx,
  operation: Exclude<Operation, { action: 'create' }>,
) {
  const { action, id } = operation;
  const isExpected = () => true;
  switch (action) {
    case 'update': {
      const { version } = await applyUpdate(deps, tx, { id, changes: operation.changes, isExpected });
      return { status: 200, data: { id, version } };
    }
    case 'revoke':
      await applyRevocation(tx, id, deps.clock());
      return { status: 204 };
    case 'erase': {
      const isErased = await applyErasure(deps, tx, { id, isExpected, version: operation.version });
      return isErased ? { status: 204 } : { status: 204, unfinished: id };
    }
  }
}

/** Problems of the client are results; all other errors end the request, which can then be repeated. */
async function catchProblem<T>(run: () => Promise<T>): Promise<T | Problem> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return error;
    throw error;
  }
}

function toFailure({ status, text, code, options: { errors } }: Problem): Omit<OperationResult, 'index'> {
  return { status, error: text, code, ...(errors === undefined ? {} : { errors }) };
}
