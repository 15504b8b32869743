import { coinAddressFromBytes, formatCoinAddress, type CoinNetwork } from '@tetrad/wallet-key';
import type { WalletStore } from '@tetrad/wallet-store';

/**
 * The wallet's addresses as sorted text. Every list asks the database for the version of the set; only when that has
 * changed, by whatever process, are the addresses read again, and only new ones are formatted.
 */
export class AddressList {
  private version: number | undefined;
  private sorted: readonly string[] = [];
  /** Hex of the bytes → text. */
  private texts: ReadonlyMap<string, string> = new Map();
  private reading: Promise<void> | undefined;

  constructor(
    private readonly store: Pick<WalletStore, 'addressesVersion' | 'listAddresses'>,
    private readonly network: CoinNetwork,
    /** Addresses whose keys are elsewhere, as text. */
    private readonly remote: readonly string[],
  ) {}

  /** @throws the database's error; RequestError when a row's address is invalid */
  async list(): Promise<readonly string[]> {
    const version = await this.store.addressesVersion();
    while (this.version === undefined || this.version < version) {
      this.reading ??= this.read().finally(() => (this.reading = undefined));
      await this.reading;
    }
    return this.sorted;
  }

  private async read(): Promise<void> {
    const { version, addresses } = await this.store.listAddresses();
    const texts = new Map<string, string>();
    for (const bytes of addresses) {
      const key = Buffer.from(bytes).toString('hex');
      const text = this.texts.get(key) ?? formatCoinAddress(coinAddressFromBytes(bytes), this.network);
      texts.set(key, text);
    }
    this.texts = texts;
    this.sorted = [...new Set([...texts.values(), ...this.remote])].sort();
    this.version = version;
  }
}
