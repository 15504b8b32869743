import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Says that a server of the tests takes the place of a service that cannot be had: in the list with which a run of tests ends, or at once
 * outside of one.
 *
 * @param service - as its maker calls it
 * @param reference - what the server follows
 */
export function noteStandIn(service: string, reference: string): void {
  const run = process.env['TETRAD_TEST_RUN_DIR'];
  const text = `NOT AGAINST ${service}: a server of the tests took its place, which follows ${reference}\n`;
  if (run === undefined) return void process.stderr.write(text);
  const folder = join(run, 'stand-ins');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, encodeURIComponent(service)), text);
}
