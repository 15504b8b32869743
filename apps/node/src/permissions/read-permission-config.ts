import { open } from 'node:fs/promises';
import { join } from 'node:path';
import {
  MAX_CONFIG_BYTES,
  PermissionConfigError,
  parsePermissionConfig,
  type PermissionConfig,
} from '@tetrad/node-permissioning';
import { OperatorError, type Logger } from '@tetrad/types';
import type { NodeConfig } from '../options/config.js';
import { parseFileJson } from '../open/parse-file-json.js';

/** Its name in the data folder. */
export const PERMISSION_CONFIG_FILE = 'permission-config.json';

/**
 * The `permission-config.json` of a permissioned node; undefined without the file, when the node lists alone decide.
 * @throws OperatorError in the reference's words
 */
export async function readPermissionConfig(
  { permissioned, dataDir }: Pick<NodeConfig, 'permissioned' | 'dataDir'>,
  logger: Logger,
): Promise<PermissionConfig | undefined> {
  if (!permissioned) return undefined;
  const path = join(dataDir, PERMISSION_CONFIG_FILE);
  try {
    const text = await readText(path);
    if (text === undefined) return undefined;
    const config = parsePermissionConfig(text);
    assertReadInOneWay(text);
    for (const key of config.unknownKeys)
      logger.warn('permission-config.json has a key without effect', { key });
    return config;
  } catch (error) {
    if (!(error instanceof PermissionConfigError)) throw error;
    throw new OperatorError(`loading of permission-config.json failed due to ${error.message}`, {
      cause: error,
    });
  }
}

/** @throws PermissionConfigError when a key is given twice, which other programs read in other ways */
function assertReadInOneWay(text: string): void {
  try {
    parseFileJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new PermissionConfigError(error.message);
    throw error;
  }
}

/** @returns undefined when the file does not exist */
async function readText(path: string): Promise<string | undefined> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new PermissionConfigError(`${path} cannot be read (${error.code})`);
  });
  if (file === undefined) return undefined;
  try {
    // The parser refuses a file that is too large, so it is not read whole.
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(MAX_CONFIG_BYTES + 1) });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
