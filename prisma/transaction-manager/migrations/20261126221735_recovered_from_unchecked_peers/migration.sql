-- AlterTable
ALTER TABLE "completeness" ADD COLUMN     "recovered" BOOLEAN NOT NULL DEFAULT false;
