/** A file of the node that is adopted is absent or not what its name says; one line, exit code 1. */
export class AdoptedFileError extends Error {
  override readonly name = 'AdoptedFileError';
}
