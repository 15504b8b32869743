/**
 * The command line is invalid, whatever the host holds; one line, exit code 2. What depends on files, ports or other
 * processes is an Error, exit code 1.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
