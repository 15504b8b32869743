import { addressFromPublicKey } from '@tetrad/crypto';

/** A key that was made in an HSM or key service, and what a signer file says of it. */
export interface NewRemoteKey {
  /** 64 bytes x‖y. */
  readonly publicKey: Uint8Array;
  /** Type of the signer file. */
  readonly type: string;
  readonly settings: readonly (readonly [name: string, value: string | number | undefined])[];
  /** What the file lacks. */
  readonly remark?: string | undefined;
}

/**
 * Lines for the operator: the address, and a signer file. JSON writes texts and numbers as TOML reads them. The public key is for
 * nodes, whose peers know them by it.
 */
export function reportNewKey({ publicKey, type, settings, remark }: NewRemoteKey): string {
  const address = addressFromPublicKey(publicKey);
  const hex = Buffer.from(publicKey).toString('hex');
  const given = [...settings, ['public-key', hex] as const].filter(([, value]) => value !== undefined);
  return [
    `address        ${address}`,
    `signer file    ${address.slice(2)}.toml:`,
    '[signing]',
    `type = ${JSON.stringify(type)}`,
    ...given.map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
    ...(remark === undefined ? [] : [`# ${remark}`]),
  ].join('\n');
}
