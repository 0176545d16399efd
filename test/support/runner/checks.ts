/** Types and lint, which run beside the tests: these wait for timers and processes for a part of their time. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

const CHECKS = ['types', 'lint'];

/** Runs the scripts of package.json. Resolves to whether all succeeded, after the output of those that failed. */
export async function runChecks(): Promise<boolean> {
  return (await Promise.all(CHECKS.map(runCheck))).every(Boolean);
}

async function runCheck(script: string): Promise<boolean> {
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, code] = await Promise.all([
    text(child.stdout),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ]);
  if (code === 0) return true;
  console.error(`npm run ${script} failed:\n${output}`);
  return false;
}
