-- AlterTable
ALTER TABLE "state_sync" ADD COLUMN     "filled_from" BIGINT;
