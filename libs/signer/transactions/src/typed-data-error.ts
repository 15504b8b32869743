import { TetradError } from '@tetrad/types';

/** The data do not fit their types, or the types are none that are taken. */
export class TypedDataError extends TetradError {
  override readonly name = 'TypedDataError';
  override readonly code = 'INVALID_TYPED_DATA';
}
