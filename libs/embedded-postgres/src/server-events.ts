import type { KeptServerEvents } from '@tetrad/server-process';
import type { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** Called when a server ended unexpectedly, and about its restart. */
export interface ServerEvents extends Pick<KeptServerEvents, 'onDown' | 'onUp'> {
  /** It cannot be restarted, or ends again and again; nothing more is tried. */
  readonly onLost?: ((error: EmbeddedPostgresError) => void) | undefined;
}
