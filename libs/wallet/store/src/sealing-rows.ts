import { clientBytes } from '@tetrad/db/client';
import type { Prisma } from './generated/client.js';
import type { WalletCalls } from './wallet-client.js';
import type { SealingParameters } from './wallet-rows.js';

/** The one row of `vault`. */
const ROW = { id: 1 };

const PARAMETERS = {
  generation: true,
  kdf: true,
  scryptN: true,
  scryptR: true,
  scryptP: true,
  salt: true,
  checkNonce: true,
  checkText: true,
} as const satisfies Prisma.VaultSelect;

/** The sealing parameters; undefined in a new database. */
export async function findSealingRow({ vault }: WalletCalls): Promise<SealingParameters | undefined> {
  return (await vault.findUnique({ where: ROW, select: PARAMETERS })) ?? undefined;
}

/**
 * Stores the row unless one exists.
 *
 * @returns the stored row, this one or the existing one
 */
export async function createSealingRow(
  client: WalletCalls,
  row: SealingParameters,
): Promise<SealingParameters> {
  await client.vault.createMany({ data: [{ ...ROW, ...columnsOfParameters(row) }], skipDuplicates: true });
  return client.vault.findUniqueOrThrow({ where: ROW, select: PARAMETERS });
}

/** Replaces the parameters. */
export async function replaceSealingRow(
  { vault }: WalletCalls,
  parameters: SealingParameters,
): Promise<void> {
  await vault.update({ where: ROW, data: columnsOfParameters(parameters) });
}

/**
 * Locks the row, so that no change of the passphrase comes before the transaction ends.
 *
 * @returns whether the parameters are of that generation
 */
export async function lockSealingRow({ vault }: WalletCalls, generation: number): Promise<boolean> {
  return (await vault.updateMany({ where: { ...ROW, generation }, data: { generation } })).count === 1;
}

/** Grows with every change of the set of addresses; 0 in a new database. */
export async function readAddressesVersion({ vault }: WalletCalls): Promise<number> {
  const row = await vault.findUnique({ where: ROW, select: { keysVersion: true } });
  return Number(row?.keysVersion ?? 0n);
}

/** The fields alone, as the client takes them. */
function columnsOfParameters({ generation, kdf, scryptN, scryptR, scryptP, ...bytes }: SealingParameters) {
  return {
    generation,
    kdf,
    scryptN,
    scryptR,
    scryptP,
    salt: clientBytes(bytes.salt),
    checkNonce: clientBytes(bytes.checkNonce),
    checkText: clientBytes(bytes.checkText),
  };
}
