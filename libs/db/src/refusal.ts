import { OperatorError } from '@tetrad/types';
import pg from 'pg';
import { MissingRightError } from './rights.js';

/** SQLSTATE of a statement for which the role lacks a right. */
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Does the work of a start or a command, so that what the server refuses is one line for the operator.
 *
 * @param what - in words: `migrations`
 * @param work what is done
 * @throws OperatorError with the server's own message; as the work does otherwise
 */
export async function withRefusals<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    const { message, code } = error;
    if (code === INSUFFICIENT_PRIVILEGE)
      throw new MissingRightError(
        `database, ${what}: ${message}; the owner of the tables applies migrations and grants rights: ` +
          '"migrate deploy SERVICE --grant-to ROLE", with the URL of the owner',
        { cause: error },
      );
    throw new OperatorError(`database, ${what}: ${message} (SQLSTATE ${code})`, { cause: error });
  }
}
