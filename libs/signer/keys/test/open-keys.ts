import { afterEach } from '@jest/globals';
import { DerivationThreads, deriveKey, type DeriveKey } from '@tetrad/keystore';
import { systemClock, type LogValues, type Logger } from '@tetrad/types';
import {
  SigningKeys,
  type KeyDifference,
  type KeySourceSettings,
  type SigningKeysOptions,
} from '@tetrad/signer-keys';
import { removeFolders } from './key-folder.js';

/** Keys of a test with all that they said. */
export interface OpenedKeys {
  readonly keys: SigningKeys;
  readonly lines: readonly LogLine[];
  readonly changes: readonly KeyDifference[];
}

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly values: LogValues;
}

const opened: SigningKeys[] = [];

export function recordingLogger(lines: LogLine[]): Logger {
  const at =
    (level: string) =>
    (message: string, values: LogValues = {}) =>
      void lines.push({ level, message, values });
  const logger: Logger = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: () => logger,
  };
  return logger;
}

/** Opens keys without a watch, unless the test asks for one. */
export async function openKeys(
  sources: readonly KeySourceSettings[],
  options: Partial<SigningKeysOptions> = {},
): Promise<OpenedKeys> {
  const lines: LogLine[] = [];
  const changes: KeyDifference[] = [];
  const keys = await SigningKeys.open(
    { sources, watch: false, ...options },
    {
      logger: recordingLogger(lines),
      clock: systemClock,
      onChange: (difference) => changes.push(difference),
    },
  );
  opened.push(keys);
  return { keys, lines, changes };
}

/** As `openKeys`, once all is loaded. */
export async function loadKeys(...given: Parameters<typeof openKeys>): Promise<OpenedKeys> {
  const result = await openKeys(...given);
  await result.keys.whenLoaded();
  return result;
}

/** What the log says of keys that were not loaded: name and reason. */
export function faults({ lines }: OpenedKeys): string[] {
  return lines
    .filter(({ message }) => message === 'key not loaded')
    .map(({ values }) => `${values.name}: ${values.reason}`);
}

export function closeKeys(): void {
  for (const keys of opened.splice(0)) keys.close();
}

/** Closes the keys that each test of a file opens, and removes its folders. */
export function clearAfterEach(): void {
  afterEach(async () => {
    closeKeys();
    await removeFolders();
  });
}

/** Threads that decrypt no key file before they are released. */
export function holdThreads(): { readonly threads: DerivationThreads; readonly release: () => void } {
  let release = (): void => undefined;
  const released = new Promise<void>((done) => (release = done));
  const startThread = () => ({
    async derive(...job: Parameters<DeriveKey>) {
      await released;
      return deriveKey(...job);
    },
    stop: async () => undefined,
  });
  return { threads: new DerivationThreads({ startThread }), release };
}
