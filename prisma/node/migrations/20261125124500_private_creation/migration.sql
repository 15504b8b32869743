-- CreateIndex
CREATE INDEX "private_receipt_contract_address_idx" ON "private_receipt"("contract_address");
