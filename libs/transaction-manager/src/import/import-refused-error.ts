import { OperatorError } from '@tetrad/types';

/** A dump, database or manager of another implementation that cannot be imported: says the row and its field, or the byte. */
export class ImportRefusedError extends OperatorError {
  override readonly name = 'ImportRefusedError';
  override readonly code = 'IMPORT_REFUSED';
}
