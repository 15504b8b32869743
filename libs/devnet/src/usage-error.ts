/** The command line asks for something that is not there; one line, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
