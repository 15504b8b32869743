-- AlterTable
ALTER TABLE "private_receipt" ADD COLUMN     "entered" BYTEA,
ADD COLUMN     "gas_used" BIGINT;
