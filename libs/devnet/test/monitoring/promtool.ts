import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** @returns undefined when it is installed, as `.ci/install-prometheus` does on Debian; otherwise the reason */
export async function lackingPromtool(): Promise<string | undefined> {
  return run('promtool', ['--version']).then(
    () => undefined,
    () => 'promtool is not installed (Debian: apt-get install prometheus)',
  );
}

/** @throws Error with what promtool says */
export async function promtool(words: readonly string[], folder: string): Promise<string> {
  const { stdout } = await run('promtool', [...words], { cwd: folder });
  return stdout;
}
