-- AlterTable
ALTER TABLE "private_agreement_block" ADD COLUMN     "own_rules" BYTEA,
ADD COLUMN     "other_rules" BYTEA;
