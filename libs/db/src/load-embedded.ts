import type * as EmbeddedPackage from '@tetrad/embedded-postgres';
import { OperatorError } from '@tetrad/types';

/**
 * Does the work with the package that contains PostgreSQL. Images do not have it: their services get the
 * URL of a database. It is loaded from outside a bundle, with classes of its own, so its errors are recognized by name.
 * @throws OperatorError when the package is not installed; as the package does
 */
export async function withEmbedded<T>(work: (embedded: typeof EmbeddedPackage) => Promise<T>): Promise<T> {
  const embedded = await load();
  try {
    return await work(embedded);
  } catch (error) {
    if (error instanceof Error && error.name === 'EmbeddedPostgresError')
      throw new OperatorError(error.message, { cause: error });
    throw error;
  }
}

async function load(): Promise<typeof EmbeddedPackage> {
  try {
    return await import('@tetrad/embedded-postgres');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new OperatorError(
      'embedded PostgreSQL: it is not part of this installation; give the URL of a database',
      { cause: error },
    );
  }
}
