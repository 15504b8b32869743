import { TetradError } from '@tetrad/types';

/** The data do not match their types, or the types are invalid. */
export class TypedDataError extends TetradError {
  override readonly name = 'TypedDataError';
  override readonly code = 'INVALID_TYPED_DATA';
}
