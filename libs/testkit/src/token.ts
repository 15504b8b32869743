import { createRequire } from 'node:module';
import { join } from 'node:path';
import { loadArtifact, type Artifact } from '@tetrad/compilers';

/**
 * The ERC-20 token of `contracts/Token.sol`, as the build compiled it. Found by the package, since this module may be part of a
 * bundle elsewhere.
 */
export function loadToken(): Promise<Artifact> {
  const main = createRequire(import.meta.url).resolve('@tetrad/testkit');
  return loadArtifact(join(main, '../..'), 'Token');
}
