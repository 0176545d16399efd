/** Types and lint, which run beside the tests: these wait for timers and processes for a part of their time. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

const CHECKS = ['types', 'lint'];

/** Runs the scripts of package.json. Resolves to the output of each that failed, below a line that names it. */
export async function runChecks(): Promise<readonly string[]> {
  return (await Promise.all(CHECKS.map(runCheck))).flat();
}

async function runCheck(script: string): Promise<readonly string[]> {
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, code] = await Promise.all([
    text(child.stdout),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ]);
  return code === 0 ? [] : [`npm run ${script} failed:\n${output}`];
}
