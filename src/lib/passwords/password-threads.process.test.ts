import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { runToEnd } from '../../../test/support/processes/process.ts';
import { PREFIX } from './password-parameters.ts';
import { createPasswords, PasswordsUnavailable } from './passwords.ts';

const CLIENT = { network: 'client', account: null };

const HASH = /^\$argon2id\$/;

function usePasswords({ threads }: { readonly threads: number }) {
  const passwords = createPasswords({
    threads,
    queueLimit: 100,
    maxWaitMs: 60_000,
    oldestPrefix: () => PREFIX,
    pepper: null,
  });
  after(() => passwords.close());
  return { hash: (password: string) => passwords.hash(password, CLIENT) };
}

describe('hashing threads', () => {
  /** Every thread that this process starts from now on, in order. */
  function observeThreads(context: TestContext): Worker[] {
    const threads: Worker[] = [];
    const observe = (thread: Worker) => threads.push(thread);
    process.on('worker', observe);
    context.after(() => process.off('worker', observe));
    return threads;
  }

  test('hashing threads are started by the first password, at most as many as configured', async (context) => {
    const threads = observeThreads(context);
    const passwords = usePasswords({ threads: 2 });
    assert.equal(threads.length, 0);
    await Promise.all(['one', 'two', 'three', 'four', 'five'].map((password) => passwords.hash(password)));
    assert.equal(threads.length, 2);
  });

  test('hashing threads are replaced when they end while idle or while hashing', async (context) => {
    const threads = observeThreads(context);
    const passwords = usePasswords({ threads: 1 });
    await passwords.hash('the thread has started');
    await threads.at(-1)!.terminate();
    assert.match(await passwords.hash('with the second thread'), HASH);
    const lost = assert.rejects(passwords.hash('in a thread that ends'), PasswordsUnavailable);
    await threads.at(-1)!.terminate();
    await lost;
    assert.match(await passwords.hash('with the third thread'), HASH);
  });

  test('hashing threads are replaced for the queued passwords as well', async (context) => {
    const threads = observeThreads(context);
    const passwords = usePasswords({ threads: 1 });
    await passwords.hash('the thread has started');
    const lost = assert.rejects(passwords.hash('in a thread that ends'), PasswordsUnavailable);
    const queued = ['one', 'two'].map((password) => passwords.hash(password));
    await threads.at(-1)!.terminate();
    await lost;
    for (const hash of await Promise.all(queued)) assert.match(hash, HASH);
  });

  test('hashing threads that cannot start reject all passwords, and the next password starts others', async () => {
    const program = `import { createPasswords } from ${JSON.stringify(join(import.meta.dirname, 'passwords.ts'))};
      let threads = 0;
      process.on('worker', () => threads++);
      const passwords = createPasswords({ threads: 1, queueLimit: 10, maxWaitMs: 60_000, oldestPrefix: () => '', pepper: null });
      for (let round = 0; round < 2; round++) {
        const jobs = ['one', 'two', 'three'].map((password) => passwords.hash(password, ${JSON.stringify(CLIENT)}));
        const outcomes = await Promise.allSettled(jobs);
        console.log(outcomes.map(({ reason }) => reason?.name).join(), threads > 2 * round);
      }
      await passwords.close();`;
    // The library of the threads is an addon.
    const { code, lines } = await runToEnd(['--no-addons', '--input-type=module', '--eval', program]);
    const rejected = Array(3).fill('PasswordsUnavailable').join();
    assert.deepEqual(lines, [`${rejected} true`, `${rejected} true`]);
    assert.equal(code, 0);
  });

  test('hashing threads run at the lowest priority on Linux', {
    skip: process.platform !== 'linux',
  }, async () => {
    const priority = getPriority();
    const passwords = usePasswords({ threads: 1 });
    await passwords.hash('the thread has started');
    // proc_pid_stat(5): the nice value is the 17th field after the name of the program in parentheses.
    const niceValues = readdirSync('/proc/self/task').map((thread) =>
      readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ').at(-1)!.split(' ').at(16),
    );
    assert.ok(niceValues.includes('19'), niceValues.join());
    assert.equal(getPriority(), priority, 'the event loop keeps its priority');
  });
});
