/** The command line is invalid; one line, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
