import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError, bytesFromHex, isHex } from '@tetrad/types';
import { z } from 'zod';

const ARTIFACT = join('libs', 'node', 'privacy', 'private-state', 'artifacts', 'ExtensionManagement.json');
const artifactSchema = z.object({ bytecode: z.string() });

/**
 * Creation code of the management contract from the build.
 * @throws OperatorError when the artifact is missing
 */
export async function loadManagementCode(): Promise<Uint8Array> {
  const { bytecode } = artifactSchema.parse(JSON.parse(await readFile(findArtifact(), 'utf8')));
  if (!isHex(bytecode)) throw new OperatorError(`${ARTIFACT}: bytecode is not hexadecimal`);
  return bytesFromHex(bytecode);
}

/** Below the root of the repository or of an image: the nearest above this module, which is a source or in a bundle. */
function findArtifact(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const file = join(folder, ARTIFACT);
    if (existsSync(file)) return file;
    if (dirname(folder) === folder)
      throw new OperatorError('contract ExtensionManagement not found; run the build');
  }
}
