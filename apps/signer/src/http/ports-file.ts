import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, writeWhole } from '@tetrad/files';
import { OperatorError } from '@tetrad/types';
import type { Emulation } from '../emulation.js';

/** Where the proxy listens. */
export interface ListeningPorts {
  readonly http: number;
  readonly metrics?: number | undefined;
}

/**
 * Writes the ports as Java properties, whole or not at all.
 *
 * Source: docs/spec/signing-proxy.md#options
 *
 * @returns removes the file
 * @throws OperatorError when it cannot be written
 */
export async function writePortsFile(
  folder: string,
  { name, httpKey }: Emulation['portsFile'],
  ports: ListeningPorts,
): Promise<() => Promise<void>> {
  const path = join(folder, name);
  const metrics = ports.metrics === undefined ? '' : `metrics-port=${ports.metrics}\n`;
  try {
    await makeFolder(folder);
    await writeWhole(path, `${httpKey}=${ports.http}\n${metrics}`);
  } catch (error) {
    throw new OperatorError(
      `--data-path: ${path} cannot be written: ${(error as NodeJS.ErrnoException).code}`,
    );
  }
  return () => rm(path, { force: true });
}
