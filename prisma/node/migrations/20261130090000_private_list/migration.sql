-- AlterTable
ALTER TABLE "address_index_head" ADD COLUMN     "private_ones_to" BIGINT NOT NULL DEFAULT -1;
