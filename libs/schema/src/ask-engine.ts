import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '@tetrad/types';
import type { EngineRequest } from './engine-request.js';

/**
 * Sends a request to a new process of the schema engine.
 * @throws OperatorError with the engine's message
 */
export async function askEngine(request: EngineRequest): Promise<unknown> {
  const program = fileURLToPath(import.meta.resolve('@tetrad/schema/engine-process'));
  const child = spawn(
    process.execPath,
    ['--experimental-wasm-modules', '--disable-warning=ExperimentalWarning', program],
    { stdio: 'pipe' },
  );
  // The engine may end before it has read everything.
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(request));
  const ended = new Promise<number | null>((done, fail) => child.once('error', fail).once('close', done));
  const [code, output, problem] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (code !== 0) throw new OperatorError(`schema engine: ${problem.trim() || `ended with ${code}`}`);
  return JSON.parse(output);
}
