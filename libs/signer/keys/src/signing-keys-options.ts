import type { DerivationThreads } from '@tetrad/keystore';
import type { BackOff, Clock, Logger } from '@tetrad/types';
import type { KeySourceSettings } from './key-source.js';
import type { KeyDifference } from './key-table.js';

export interface SigningKeysOptions {
  readonly sources: readonly KeySourceSettings[];
  /** Whether changes of folders and files are noticed without a request; default: yes. */
  readonly watch?: boolean;
  /** Rest after a change before it is looked at, in ms. */
  readonly watchQuietMs?: number;
  /** Time between looks without an event, in ms. */
  readonly watchPeriodMs?: number;
  readonly vaultBackOff?: BackOff;
  /** What decrypts key files; closed with the keys. Default: a thread a core. */
  readonly threads?: DerivationThreads;
}

export interface SigningKeysDependencies {
  readonly logger: Logger;
  readonly clock: Clock;
  /** Variables of the environment, by which files that name passwords in services may log in; default: none. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** Called for every change of the keys after the first load. */
  readonly onChange?: (difference: KeyDifference) => void;
}
