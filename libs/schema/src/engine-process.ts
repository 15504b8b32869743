import { text } from 'node:stream/consumers';
import type { EngineRequest } from './engine-request.js';
import { openEngine, panicMessage } from './open-engine.js';

/* The schema engine as a process of its own for this library: it answers one request, and ends. */

async function answer(request: EngineRequest): Promise<unknown> {
  const engine = await openEngine(request.url, request.files);
  return request.command === 'diff'
    ? engine.diff(request.params)
    : engine.diagnoseMigrationHistory(request.params);
}

try {
  const request = JSON.parse(await text(process.stdin)) as EngineRequest;
  process.stdout.write(JSON.stringify(await answer(request)), () => process.exit(0));
} catch (error) {
  const message = panicMessage() === '' ? (error as Error).message : panicMessage();
  process.stderr.write(message, () => process.exit(1));
}
