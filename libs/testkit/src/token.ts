import { fileURLToPath } from 'node:url';
import { loadArtifact, type Artifact } from '@tetrad/compilers';

/** The ERC-20 token of `contracts/Token.sol`, as the build compiled it. */
export function loadToken(): Promise<Artifact> {
  return loadArtifact(fileURLToPath(new URL('..', import.meta.url)), 'Token');
}
