import type { KeptServerEvents } from '@tetrad/server-process';
import type { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** Told what becomes of a server that ended although nobody stopped it. */
export interface ServerEvents extends Pick<KeptServerEvents, 'onDown' | 'onUp'> {
  /** It does not come back, or ends again and again; nothing more is tried. */
  readonly onLost?: ((error: EmbeddedPostgresError) => void) | undefined;
}
