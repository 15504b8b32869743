import { randomBytes } from 'node:crypto';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describeFileError, makeFolder } from '@tetrad/files';
import {
  booleanOption,
  defineOptions,
  formatSettings,
  option,
  pathOption,
  readTextFile,
  type SettingsConversion,
  type ConfigOf,
} from '@tetrad/service';
import { OperatorError } from '@tetrad/types';
import { convertConfig } from './convert-config/convert-config.js';
import { parseTesseraConfig } from './convert-config/tessera-config.js';
import { VaultKeys } from './vault-keys.js';

/** Maximum size in bytes of a configuration file. */
const MAX_BYTES = 16 * 1_048_576;

/** Options of `transaction-manager convert-config`. */
export const convertConfigOptions = defineOptions({
  from: option(pathOption(), { description: 'Configuration file (JSON) of a Tessera.', required: true }),
  out: option(pathOption('DIR'), {
    description: 'New folder for manager.toml and the files that go with it.',
    required: true,
  }),
  workingDir: option(pathOption('DIR'), {
    description:
      'Folder in which the Tessera is started, which paths in the file are relative to; default: that of the file.',
  }),
  dryRun: option(booleanOption(), {
    description: 'Print the table of settings, and write nothing.',
    default: false,
  }),
});

/**
 * Writes our configuration for that of a Tessera.
 * @returns the table of what was taken, changed and ignored
 * @throws OperatorError when a setting cannot be converted, a key does not open, or the folder is there
 */
export async function convertConfigFile(config: ConfigOf<typeof convertConfigOptions>): Promise<string> {
  const { from, out, workingDir = dirname(from), dryRun } = config;
  const size = await stat(from).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size > MAX_BYTES) throw new OperatorError(`${from}: exceeds ${MAX_BYTES} bytes`);
  const tessera = parseTesseraConfig(readTextFile(from, '--from'), from);
  const vaults = new VaultKeys(process.env);
  const conversion = await convertConfig(tessera, workingDir, vaults).finally(() => vaults.close());
  if (!dryRun) await writeConverted(out, conversion);
  return formatSettings(conversion.rows);
}

/** Writes all files, or none. */
async function writeConverted(out: string, conversion: SettingsConversion): Promise<void> {
  const draft = join(dirname(out), `.${basename(out)}.${randomBytes(4).toString('hex')}`);
  try {
    await makeFolder(draft, 0o700);
    const title =
      'Converted from the configuration of a Tessera. Start it in this folder: tetrad transaction-manager serve --config-file manager.toml';
    await writeFile(join(draft, 'manager.toml'), conversion.toml(title));
    for (const { name, text, isSecret } of conversion.files)
      await writeFile(join(draft, name), text, { mode: isSecret ? 0o600 : 0o644 });
    await rename(draft, out);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isThere = code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR';
    throw new OperatorError(
      `--out ${out}: ${isThere ? 'is there already' : (describeFileError(error) ?? message)}`,
      {
        cause: error,
      },
    );
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
