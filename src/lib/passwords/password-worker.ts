/** Task of the hashing threads. */
import { hashSync, verifySync } from '@node-rs/argon2';
import type { Reading } from './foreign/hash-kind.ts';
import { verifyHash } from './foreign-hashes.ts';
import type { PasswordParameters } from './password-parameters.ts';

export type PasswordTask = { readonly password: string; readonly pepper: string | null } & (
  | { readonly kind: 'hash'; readonly parameters: PasswordParameters }
  | { readonly kind: 'verify'; readonly hash: string }
);

/** `error` is a failure of this task alone, such as a text that is no hash. */
export type PasswordResult = { readonly result: string | boolean | Reading } | { readonly error: string };

export default function run(task: PasswordTask): PasswordResult {
  const secret = task.pepper === null ? {} : { secret: Buffer.from(task.pepper, 'utf8') };
  try {
    if (task.kind === 'hash') return { result: hashSync(task.password, { ...task.parameters, ...secret }) };
    return { result: verifyHash(task.hash, task.password, (hash, form) => verifySync(hash, form, secret)) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
