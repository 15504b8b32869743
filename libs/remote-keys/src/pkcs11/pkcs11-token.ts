import { createHmac, randomBytes } from 'node:crypto';
import { firstLine, type Clock } from '@tetrad/types';
import type { ServiceKey } from '../key-service.js';
import { RemoteKeyError } from '../remote-key-error.js';
import { LibraryProcess } from './library-process.js';
import type { Pkcs11Call } from './pkcs11-messages.js';
import { keyNameOf, tokenNameOf, type Pkcs11KeyName, type Pkcs11TokenSettings } from './pkcs11-settings.js';

export interface Pkcs11TokenParts {
  readonly clock: Clock;
  /**
   * The content of a file.
   * @throws any error, whose message is not shown
   */
  readonly readText: (path: string) => Promise<string>;
}

/** A token of an HSM, opened at the first call, and again after it failed or went away. */
export class Pkcs11Token {
  readonly name: string;
  private current: { readonly library: LibraryProcess; readonly opened: Promise<unknown> } | undefined;
  /** What is kept of a PIN that the token refused, so that it is not sent again. */
  private refused: { readonly mark: string; readonly why: string } | undefined;
  private readonly markKey = randomBytes(32);

  constructor(
    private readonly settings: Pkcs11TokenSettings,
    private readonly parts: Pkcs11TokenParts,
  ) {
    this.name = tokenNameOf(settings);
  }

  key(key: Pkcs11KeyName): ServiceKey {
    return {
      name: `${this.name}, key with ${keyNameOf(key)}`,
      readPublicKey: () => this.call({ call: 'publicKey', key }),
      sign: (digest) => this.call({ call: 'sign', key, digest }),
    };
  }

  /**
   * Makes a key pair on the token, under a name that it does not have yet.
   *
   * @returns 64 bytes x‖y
   * @throws RemoteKeyError
   */
  generate(key: Pkcs11KeyName): Promise<Uint8Array> {
    return this.call({ call: 'generate', key });
  }

  close(): void {
    this.current?.library.retire();
  }

  private async call(what: Pkcs11Call): Promise<Uint8Array> {
    const { library, opened } = (this.current ??= this.start());
    await opened;
    return library.call(what);
  }

  private start(): { readonly library: LibraryProcess; readonly opened: Promise<unknown> } {
    const { clock } = this.parts;
    const { timeoutMs, sessions } = this.settings;
    const library = new LibraryProcess({
      name: this.name,
      clock,
      timeoutMs,
      sessions,
      onBroken: (broken) => {
        if (this.current?.library === broken) this.current = undefined;
      },
    });
    const opened = this.open(library);
    opened.catch(() => library.retire());
    return { library, opened };
  }

  private async open(library: LibraryProcess): Promise<void> {
    const { library: path, slot, tokenLabel, pinFile } = this.settings;
    const pin = pinFile === undefined ? undefined : await this.readPin(pinFile);
    const mark = createHmac('sha256', this.markKey)
      .update(pin ?? '')
      .digest('hex');
    if (this.refused?.mark === mark) {
      const text = `${this.name}: ${this.refused.why}; it is not tried again before ${pinFile} has another`;
      throw new RemoteKeyError('LOCKED', text);
    }
    try {
      await library.call({ call: 'open', library: path, slot, tokenLabel, pin });
      this.refused = undefined;
    } catch (error) {
      if (error instanceof RemoteKeyError && error.code === 'LOCKED')
        this.refused = { mark, why: error.message.slice(this.name.length + 2) };
      throw error;
    }
  }

  private async readPin(pinFile: string): Promise<string> {
    const text = await this.parts.readText(pinFile).catch(() => {
      throw new RemoteKeyError('MISSING', `${this.name}: the PIN file ${pinFile} cannot be read`);
    });
    const pin = firstLine(text);
    if (pin === '')
      throw new RemoteKeyError(
        'MISSING',
        `${this.name}: the PIN file ${pinFile} has no PIN in its first line`,
      );
    return pin;
  }
}
