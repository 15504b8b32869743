import { TetradError } from '@tetrad/types';

/** A key, or a whole source of keys, cannot be used; the message says where and why, never anything secret. */
export class KeyLoadError extends TetradError {
  override readonly name: string = 'KeyLoadError';
  override readonly code: 'KEY_LOAD' | 'KEY_CONFIG' = 'KEY_LOAD';

  constructor(
    message: string,
    /** Whether it may go away by itself, as the silence of a vault does. */
    readonly isTransient: boolean = false,
  ) {
    super(message);
  }
}

/** What an error says to an operator. Errors of other kinds than ours may repeat what they were given: only a name. */
export function faultOf(error: unknown): string {
  if (error instanceof KeyLoadError) return error.message;
  return error instanceof Error ? `unexpected ${error.name}` : 'unexpected error';
}
