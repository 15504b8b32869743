-- AlterTable
ALTER TABLE "submission" ADD COLUMN "state_root" BYTEA;
