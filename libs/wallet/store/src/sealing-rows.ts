import type { PrismaClient, Vault } from './generated/client.js';
import type { SealingParameters } from './wallet-rows.js';

/** The sealing parameters; undefined in a new database. */
export async function findSealingRow(prisma: PrismaClient): Promise<SealingParameters | undefined> {
  const row = await prisma.vault.findUnique({ where: { id: 1 } });
  return row === null ? undefined : toSealingParameters(row);
}

/** Stores the row unless one exists. Out: the stored row, this one or the existing one */
export async function createSealingRow(
  prisma: PrismaClient,
  row: SealingParameters,
): Promise<SealingParameters> {
  const data = { id: 1, ...row, ...bytesOf(row) };
  await prisma.vault.createMany({ data, skipDuplicates: true });
  return toSealingParameters(await prisma.vault.findUniqueOrThrow({ where: { id: 1 } }));
}

function bytesOf({ salt, checkNonce, checkText }: SealingParameters) {
  return { salt: Buffer.from(salt), checkNonce: Buffer.from(checkNonce), checkText: Buffer.from(checkText) };
}

function toSealingParameters(row: Vault): SealingParameters {
  const { generation, kdf, scryptN, scryptR, scryptP, salt, checkNonce, checkText } = row;
  return { generation, kdf, scryptN, scryptR, scryptP, salt, checkNonce, checkText };
}
