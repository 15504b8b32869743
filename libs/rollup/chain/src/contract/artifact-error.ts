import { TetradError } from '@tetrad/types';

/** A contract that the build has not made, that lacks the address of a library, or that is of a later version. */
export class ArtifactError extends TetradError {
  override readonly name = 'ArtifactError';
  override readonly code = 'ARTIFACT_UNAVAILABLE';
}
