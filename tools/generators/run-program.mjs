import { spawnSync } from 'node:child_process';

/**
 * Runs a program of the repository with Node.js, its output on the terminal.
 *
 * @param {string} root
 * @param {...string} args
 * @throws {Error} when it fails
 */
export function runProgram(root, ...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error(`node ${args.join(' ')} failed`);
}
