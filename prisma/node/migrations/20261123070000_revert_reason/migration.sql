-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "revert_reason" BYTEA;
