import type { PrismaClient, Vault } from './generated/client.js';
import type { VaultRow } from './wallet-rows.js';

/** The vault's row; undefined in a new database. */
export async function findVaultRow(prisma: PrismaClient): Promise<VaultRow | undefined> {
  const row = await prisma.vault.findUnique({ where: { id: 1 } });
  return row === null ? undefined : toVaultRow(row);
}

/** Stores the row unless there is one. Out: the row that is stored, whoever stored it */
export async function createVaultRow(prisma: PrismaClient, row: VaultRow): Promise<VaultRow> {
  const data = { id: 1, ...row, ...bytesOf(row) };
  await prisma.vault.createMany({ data, skipDuplicates: true });
  return toVaultRow(await prisma.vault.findUniqueOrThrow({ where: { id: 1 } }));
}

function bytesOf({ salt, checkNonce, checkText }: VaultRow) {
  return { salt: Buffer.from(salt), checkNonce: Buffer.from(checkNonce), checkText: Buffer.from(checkText) };
}

function toVaultRow(row: Vault): VaultRow {
  const { generation, kdf, scryptN, scryptR, scryptP, salt, checkNonce, checkText } = row;
  return { generation, kdf, scryptN, scryptR, scryptP, salt, checkNonce, checkText };
}
